-- The innermost type around a line.
select node_key
from nodes
where kind = 'TYPE' and source_file = $file and repo = $repo and branch = $branch
    and $line between start_line and end_line
order by end_line - start_line
limit 1;
