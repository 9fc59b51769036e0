-- The files whose chunks are looked at: those that changed, and those of which graph or names may tell something else.
create or replace temp table told_nodes as
with of_lists as (
    select from_id as node_id
    from changed_ties
    where relation in ('ReadsFrom', 'WritesTo', 'Calls', 'Executes', 'ForeignKey')
    union
    select to_id from changed_ties where relation in ('Calls', 'Executes', 'ForeignKey')
    union
    select mapped.to_id  -- what sets are mapped to by way of an entity
    from changed_ties as tie
    join store.edges as mapped on mapped.from_id = tie.to_id
    where tie.relation = 'MapsTo' and mapped.relation = 'MapsTo'
    union
    select node.node_id
    from changed_ties as tie
    join store.nodes as node on node.node_id = tie.to_id
    where node.data_type = 'db_code' or tie.relation <> 'Contains' and node.source_file is not null
)
select node_id, node.node_key, node.repo, node.branch, node.source_file
from of_lists
join store.nodes as node using (node_id);

create or replace temp table changed_chunks as
select true as is_new, object_id, node_key, kind, name from stage.chunks
union all
select false, object_id, node_key, kind, name
from store.documents
where repo = getvariable('repo') and branch = getvariable('branch') and source_file in (from changed_files);

-- Names of types that there are, or are no more: members are told apart from them.
create or replace temp table changed_names as
with named as (
    select fold(regexp_replace(name, '[`<(].*$', '')) as name, is_new
    from changed_chunks
    where kind in ('TYPE', 'TABLE', 'VIEW')
)
select name from named group by name having count(distinct is_new) = 1
union
select fold(regexp_replace(name, '[`<(].*$', ''))  -- whose chunks are called types until their node is known
from (
    select name from fresh_nodes where kind = 'MIGRATION' union all select name from gone_nodes where kind = 'MIGRATION'
);

create or replace temp table looked_at as
with own as (
    select source_file, object_id, node_key
    from store.documents
    where repo = getvariable('repo') and branch = getvariable('branch')
),
of_branch as (
    from changed_files
    union
    select source_file from fresh_nodes where source_file is not null
    union
    select held_file from fresh_nodes where held_file is not null
    union
    select held_file from gone_nodes where held_file is not null
    union
    select source_file from unnamed_chunks
    union
    select source_file from own where object_id in (select object_id from changed_chunks)
    union
    select source_file from own where node_key in (select node_key from changed_chunks)
    union
    select source_file
    from own
    where lower(node_key) in (
        select lower(node_key) from fresh_nodes union all select lower(node_key) from gone_nodes
    )
    union
    select node.source_file
    from store.nodes as node
    where node.repo = getvariable('repo') and node.branch = getvariable('branch')
        and node.kind in ('METHOD', 'PROPERTY', 'FIELD', 'DBSET')
        and exists (from changed_names)
        and fold(regexp_replace(node.name, '[`<(].*$', '')) in (from changed_names)
    union
    select source_file
    from store.documents
    join changed_names on contains(lower(strip_accents(text)), changed_names.name)  -- fold() is of words: it cuts
    where repo = getvariable('repo') and branch = getvariable('branch') and kind = 'TABLE' and data_type = 'db_code'
)
select getvariable('repo')::varchar as repo, getvariable('branch')::varchar as branch, source_file
from of_branch
where source_file is not null
union
select repo, branch, source_file from told_nodes where source_file is not null
union
select repo, branch, document.source_file
from store.documents as document
semi join told_nodes using (repo, branch, node_key);

drop table changed_names;

-- Where the chunks of each file of the branch begin.
create or replace temp table file_places as
with held as (
    select source_file, min(chunk_no) as held_first, count(*) as chunks
    from store.documents
    where repo = getvariable('repo') and branch = getvariable('branch')
    group by source_file
),
own as (
    select source_file, count(*) as chunks from stage.chunks group by source_file
),
files as (
    select
        source_file, held.held_first,
        case
            when source_file in (from changed_files) then coalesce(own.chunks, 0)
            else held.chunks
        end as chunks
    from held
    full join own using (source_file)
)
select
    source_file, held_first, chunks,
    (getvariable('chunks_before') + coalesce(sum(chunks) over (
        order by source_file rows between unbounded preceding and 1 preceding
    ), 0) + 1)::integer as first
from files;

-- The numbers of chunks in files that did not change, and those that they have from now on.
create or replace temp table chunk_numbers as
select held.node_id, held.chunk_no as held_no, held.chunk_no + place.first - place.held_first as chunk_no
from store.documents as held
join file_places as place using (source_file)
where held.repo = getvariable('repo') and held.branch = getvariable('branch')
    and held.source_file not in (from changed_files)
union all
select
    node_id, chunk_no,
    if(chunk_no > getvariable('chunks_before'), chunk_no + getvariable('more_chunks'), chunk_no)::integer
from store.documents
where (repo, branch) <> (getvariable('repo')::varchar, getvariable('branch')::varchar);
