"""Prepare sources into one store: gather, parse or import, tie together, embed, write."""
