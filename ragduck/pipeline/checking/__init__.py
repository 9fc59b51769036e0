"""Find what is wrong with a pipeline before it runs, and describe what may stand in one."""
