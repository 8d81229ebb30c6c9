"""Notes of several works: which of them are one note, and where it is."""
