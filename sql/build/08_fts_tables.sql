-- Empty tables for the words of all chunks: those of chunks that the live file knows, then those that are read anew.
-- Each part of the postings is in order of its terms, so that a slice of the terms is found by zone maps.
create or replace temp table postings (
    term_key bigint, chunk_no integer, tf_content usmallint, tf_parts usmallint, tf_name usmallint, tf_path usmallint
);

create or replace temp table term_counts (term_key bigint, term varchar, chunks bigint);

create or replace temp table lengths (chunk_no integer, content integer, parts integer, name integer, path integer);

create or replace temp table known_chunks (chunk_no integer, live_no integer);
