"""The verdict of a schema (RELAX NG, Schematron, ODD, XSD), and its reasons in words for people."""
