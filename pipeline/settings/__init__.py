"""The edition folder's TOML as typed tables."""
