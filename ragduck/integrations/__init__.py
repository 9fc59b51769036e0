"""Doors to other frameworks; each is imported by name, for the frameworks are heavy."""
