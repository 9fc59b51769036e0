"""One module per peer; each runs in the peer's own environment."""
