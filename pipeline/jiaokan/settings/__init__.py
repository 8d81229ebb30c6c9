"""Settings of an edition folder: TOML as typed tables, faults with places and remedies, the manual of all keys."""
