"""The errors a user can do something about."""


class RagduckError(Exception):
    """Say what happened, with the value, and hint at the command that helps.

    The command line prints both as ``error: …`` and ``hint: …`` and exits with ``exit_code``.
    """

    exit_code = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(RagduckError):
    """Refuse an argument: an unknown filter, an empty question, a number out of range."""

    exit_code = 2


class StoreError(RagduckError):
    """Refuse a file that is missing, foreign, too new or locked."""


class ForeignFileError(StoreError):
    """Refuse a file that is no store of ours: it is never replaced, whatever was asked."""


class SourceError(RagduckError):
    """Refuse a source folder from which nothing can be read."""


class EmbeddingError(RagduckError):
    """Refuse a model that is unknown, missing or not the one of the store."""


class PipelineError(RagduckError):
    """Refuse a pipeline that cannot be read or run; the message begins with file, line and column where known."""


class ModelError(RagduckError):
    """Say that a language model is unknown, cannot be reached, took too long or gave no usable answer."""


class ModelTimeoutError(ModelError):
    """Say that a language model took longer than it was given."""
