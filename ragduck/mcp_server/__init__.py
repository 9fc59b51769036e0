"""Serve one store to language models by the Model Context Protocol: `ragduck mcp STORE`.

It needs the extra `mcp`. The tools know nothing of the protocol: only `server`, `catalog`, `documents` and `prompts`
import the SDK, which takes a second, and `running` the event loop that it brings.
"""
