"""Read what other systems wrote: RoslynIndexer bundles, unified indexes, sqlrooms-rag files."""
