-- What ranks a chunk beside its text: its name, its file's name and folders, and how central its file is.
drop table postings;

create or replace temp table numbered_files as
select
    repo, branch, source_file, file_class,
    row_number() over (order by min(chunk_no))::integer as file_no,
    case
        when bool_or(file_type = 'sql') then count(*)
        when bool_or(data_type = 'docs' or file_type = 'razor') then 0
        when bool_or(kind in ('TYPE', 'METHOD', 'PROPERTY', 'FIELD', 'MIGRATION')) then 0
        else count(*)
    end::integer as loose_chunks,
    stem_keys(parts_of(words(regexp_replace(string_split(source_file, '/')[-1], '\.[^.]*$', '')))) as file_keys,
    stem_keys(parts_of(words(array_to_string(string_split(source_file, '/')[-3:-2], ' ')))) as folder_keys
from documents
group by repo, branch, source_file, file_class;

insert into chunk_signals
with pairs as (
    select distinct from_id, to_id from edges where relation <> 'Contains'
),
incoming as (
    select target.repo, target.branch, target.source_file, count(*) as edges
    from pairs
    join nodes as target on target.node_id = pairs.to_id
    where target.source_file is not null
    group by all
)
select
    chunk.chunk_no, file.file_no,
    case when chunk.kind <> 'FILE' then term_key(nullif(fold(regexp_replace(chunk.name, '[`<(].*$', '')), '')) end
        as name_key,
    case
        when chunk.kind = 'TYPE' and regexp_full_match(chunk.signature, '[\w@]+(, [\w@]+)*')
        then list_distinct(list_transform(words(chunk.signature), lambda word: term_key(fold(word))))
    end as member_keys,
    coalesce(chunk.kind in ('METHOD', 'PROPERTY', 'FIELD'), false) as is_member,
    coalesce(chunk.kind in ('TYPE', 'TABLE', 'VIEW') and chunk.chunk_part = 0, false) as type_head,
    file.file_class, term_key(stem(file.file_class)) as class_key, ln(1 + coalesce(incoming.edges, 0)) as centrality,
    file.loose_chunks
from documents as chunk
join numbered_files as file using (repo, branch, source_file)
left join incoming using (repo, branch, source_file)
order by chunk.chunk_no;

insert into file_terms
with shares as (
    select file_no, unnest(file_keys) as stem_key, 1 / len(file_keys) as file_share, 0 as folder_share
    from numbered_files
    union all
    select file_no, unnest(folder_keys), 0, 1 / len(folder_keys) from numbered_files
),
totals as (
    select greatest(count(*), 2) as files from numbered_files
)
select
    stem_key, file_no, sum(file_share), sum(folder_share),
    ln(any_value(files) / greatest(count(*) filter (where sum(file_share) > 0) over (partition by stem_key), 1))
    / ln(any_value(files))
from shares, totals
group by stem_key, file_no
order by stem_key, file_no;

drop table numbered_files;
