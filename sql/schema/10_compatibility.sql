-- Where clients of DuckDB's fts extension look for the index of `documents`.
create schema fts_main_documents;
