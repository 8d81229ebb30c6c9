"""The manual of the settings, from the types that read them: every key with its words and an example."""
