-- What differs between two branches, of some kinds or all.
select
    change, kind, node_key, schema, name, lines_added, lines_removed, old_file, old_start, old_end,
    new_file, new_start, new_end
from object_changes($repo, $from_branch, $to_branch)
where len($kinds::varchar[]) = 0 or list_contains($kinds::varchar[], kind)
order by coalesce(new_file, old_file), coalesce(new_start, old_start), node_key;
