-- What belongs to the repositories and branches that are exported; no name given means all of them.
with
selected_documents as (
    select node_id, doc_id, chunk_no
    from documents
    where coalesce(list_contains(getvariable('exported_repos')::varchar[], repo), true)
        and coalesce(list_contains(getvariable('exported_branches')::varchar[], branch), true)
),

selected_nodes as (
    select node_id
    from nodes
    where coalesce(list_contains(getvariable('exported_repos')::varchar[], repo), true)
        and coalesce(list_contains(getvariable('exported_branches')::varchar[], branch), true)
),

selected_files as (
    select distinct file_no from chunk_signals where chunk_no in (select chunk_no from selected_documents)
),

selected_terms as (
    select distinct term_key from fts_postings where chunk_no in (select chunk_no from selected_documents)
)
