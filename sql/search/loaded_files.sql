-- What ranks a chunk and is its file's, of all files in order.
select
    file_no::integer as file_no, any_value(file_class)::varchar as file_class,
    any_value(class_key)::bigint as class_key, any_value(centrality)::double as centrality,
    any_value(loose_chunks)::integer as loose_chunks
from chunk_signals
where chunk_no is not null
    and file_no is not null
group by 1
order by 1
