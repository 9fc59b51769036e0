-- What ranks a chunk and is its file's, of all files in order.
select
    file_no, any_value(file_class) as file_class, any_value(class_key) as class_key,
    any_value(centrality) as centrality
from chunk_signals
group by file_no
order by file_no
