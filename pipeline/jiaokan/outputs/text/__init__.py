"""What all outputs of a text share: its prepared form, and the editor's front matter."""
