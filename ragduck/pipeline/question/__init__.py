"""Understand a question: type, side of the system, concepts and other words for them."""
