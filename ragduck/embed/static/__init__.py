"""The project's own model: one vector for each word, weighted and summed; thousands of chunks a second."""

from ragduck.embed.static.embedder import StaticEmbedder

__all__ = ["StaticEmbedder"]
