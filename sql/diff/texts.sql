-- The lines that define some objects in each of two branches.
with piece as materialized (
    select is_old, node_key, piece_no, source_file, unnest(range(start_line, end_line + 1)) as line_no
    from definition_pieces($repo, $from_branch, $to_branch)
    where list_contains($keys::varchar[], node_key)
),
file_line as (
    select branch = $from_branch as is_old, file_path, unnest(lines) as line, unnest(range(1, len(lines) + 1)) as line_no
    from (
        select branch, file_path, string_split(text, chr(10)) as lines
        from source_documents
        where repo = $repo and branch in ($from_branch, $to_branch)
            and file_path in (select source_file from piece)
    )
)
select piece.node_key, piece.is_old, list(line order by piece_no, piece.line_no) as lines
from piece
join file_line
    on file_line.is_old = piece.is_old and file_line.file_path = piece.source_file
    and file_line.line_no = piece.line_no
group by piece.node_key, piece.is_old;
