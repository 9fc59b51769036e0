"""The tools: each takes its arguments and an open store, and gives a reply. None of them knows the protocol."""
