"""Language models behind one small interface, which tests can script."""

from ragduck.llm.protocol import Completion, LanguageModel, Message
from ragduck.llm.registry import load_model

__all__ = ["Completion", "LanguageModel", "Message", "load_model"]
