"""Proposals of punctuation, each mark with the evidence on which it rests: for the editor to take or to leave."""
