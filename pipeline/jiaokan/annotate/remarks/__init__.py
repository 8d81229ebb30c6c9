"""Remarks of commentators on the text (某本作某, 某当作某): found, parsed, and located in what they are about."""
