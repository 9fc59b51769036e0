"""Read SQL without a grammar: tokens, statements, what they define and what they name."""
