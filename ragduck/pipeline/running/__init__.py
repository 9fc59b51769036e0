"""Run a pipeline step by step, and keep a trace."""
