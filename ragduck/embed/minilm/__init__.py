"""all-MiniLM-L6-v2 as 8-bit ONNX, needing neither network nor torch: chunks of `minilm`, questions of `static`."""

from ragduck.embed.minilm.embedder import MiniLMEmbedder

__all__ = ["MiniLMEmbedder"]
