-- Where the chunks of nodes are, by number: reading their texts with them would read those of all chunks. The keys are
-- asked for apart, since DuckDB goes by an index only where nothing else is asked of the table.
select node_key as asked_key, chunk_no, doc_id, source_file, start_line
from documents
where chunk_no in (select chunk_no from documents where node_key in (select unnest($keys::varchar[])))
    and file_type <> 'inline_sql'  -- its lines are those of the member, too
    and repo = coalesce($repo, repo) and branch = coalesce($branch, branch);
