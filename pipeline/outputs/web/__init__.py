"""What the website needs besides the stylesheets: subsets of fonts, pages of witnesses."""
