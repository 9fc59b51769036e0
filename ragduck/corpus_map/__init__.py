"""A map of the corpus: places in the plane, topics, links of Markdown files, and a page to explore them."""
