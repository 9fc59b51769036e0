"""The version of ragduck."""

__version__ = "0.1.0"
