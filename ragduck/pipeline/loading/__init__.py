"""Read a pipeline from YAML with all that it inherits."""
