"""Parts of the website that stylesheets do not make: fonts, search index, views of witnesses, files for programs."""
