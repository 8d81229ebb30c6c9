"""Apparatus: columns become entries, each reading with its class."""
