-- Lines that edges of other branches are read from.
insert into snippets
select file.file_no, edge.line, any_value(edge.snippet)
from store.edges as edge
join edge_files as file using (repo, branch, source_file)
where (edge.repo, edge.branch) <> (getvariable('repo')::varchar, getvariable('branch')::varchar)
group by file.file_no, edge.line;
