-- Chunks whose lists do not have what the edges of their own node say, or have an entry that no edge says.
with listed as (
    select
        edge.from_id as node_id, edge.to_key as entry,
        case edge.relation
            when 'ReadsFrom' then 'reads_from' when 'WritesTo' then 'writes_to' when 'ForeignKey' then 'fk_dependencies'
            else 'calls'
        end as list
    from edges as edge
    where edge.relation in ('ReadsFrom', 'WritesTo', 'ForeignKey', 'Calls', 'Executes')
    union
    select
        edge.to_id, edge.from_key, case edge.relation when 'ForeignKey' then 'fk_dependencies' else 'called_by' end
    from edges as edge
    where edge.relation in ('ForeignKey', 'Calls', 'Executes')
),
entries as (
    select chunk_no, 'reads_from' as list, unnest(reads_from) as entry from documents
    union all
    select chunk_no, 'writes_to', unnest(writes_to) from documents
    union all
    select chunk_no, 'calls', unnest(calls) from documents
    union all
    select chunk_no, 'called_by', unnest(called_by) from documents
    union all
    select chunk_no, 'fk_dependencies', unnest(fk_dependencies) from documents
),
own as (
    select chunk.chunk_no, listed.list, listed.entry
    from documents as chunk
    join nodes as node
        on node.node_key = chunk.node_key and node.repo = chunk.repo and node.branch = chunk.branch
    join listed on listed.node_id = node.node_id
),
wrong as (
    select 'missing' as problem, chunk_no, list, entry from own anti join entries using (chunk_no, list, entry)
    union all
    select 'invented', chunk_no, list, entry from entries anti join listed using (list, entry)
)
select *
from wrong
order by all
