"""What print needs besides the stylesheets: Typst, fonts, script, the traditional page."""
