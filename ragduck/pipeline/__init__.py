"""YAML pipelines over a store: load, check, run and trace them."""
