-- The files of a branch of added nodes: their texts one under the other, each on lines of its own. The variables
-- repo and branch name it; nodes that are new have line numbers above all others.
create or replace temp table arranged as
with sized as (
    select
        node_id, source_file, start_line as place,
        length(text) - length(replace(text, chr(10), '')) + 1 as lines
    from stage.chunks
    where repo = getvariable('repo') and branch = getvariable('branch')
)
select node_id, lines, sum(lines) over (partition by source_file order by place)::integer as end_line
from sized;

update stage.chunks as chunk
set start_line = arranged.end_line - arranged.lines + 1, end_line = arranged.end_line
from arranged
where arranged.node_id = chunk.node_id and repo = getvariable('repo') and branch = getvariable('branch');

delete from stage.sources where repo = getvariable('repo') and branch = getvariable('branch');

insert into stage.sources by name
with files as (
    select
        repo, branch, doc_id, source_file as file_path, any_value(file_type) as file_type,
        string_agg(text, chr(10) order by start_line) as text
    from stage.chunks
    where repo = getvariable('repo') and branch = getvariable('branch')
    group by repo, branch, doc_id, source_file
)
select
    *, regexp_extract(file_path, '[^/]*$') as file_name, getvariable('now')::timestamp as created_at,
    md5(text) as content_hash, strlen(text) as size,
    if(file_type in ('md', 'markdown', 'mdx'), 'markdown', 'text') as language, 'docs' as file_class
from files;

delete from stage.snapshots where repo = getvariable('repo') and branch = getvariable('branch');

drop table arranged;
