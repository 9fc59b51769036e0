-- Whole files whose path ends as asked, or is the end of a full path that was asked, those with the capitals of it first.
-- A name without a folder is the end of too many paths.
with ending as materialized (
    select
        doc_id, repo, branch, file_path, language, file_type, text,
        2 * least(length(file_path), length($path))
        + (ends_with('/' || file_path, '/' || $path) or ends_with($path, '/' || file_path))::integer as fit
    from source_documents
    where ends_with('/' || lower(file_path), '/' || lower($path))
        or regexp_matches($path, '^(/|[A-Za-z]:)') and contains(file_path, '/')
        and ends_with(lower($path), '/' || lower(file_path))
)
select doc_id, repo, branch, file_path as source_file, language, file_type, text
from ending
qualify fit = max(fit) over ()
order by source_file, repo, branch;
