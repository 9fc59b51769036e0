-- Points of the map with what they can be coloured by.
select
    point.point_no, point.title, point.repo, point.branch, point.source_file, point.start_line, point.end_line, point.x,
    point.y, point.topic,
    coalesce(chunk.data_type, of_file.data_type, '') as data_type,
    file.file_class, file.file_type,
    coalesce(chunk.kind, upper(chunk.element_type), 'FILE') as kind
from map_points as point
join source_documents as file using (doc_id)
left join documents as chunk using (chunk_no)
left join (
    select doc_id, mode(data_type) as data_type from documents group by doc_id
) as of_file on of_file.doc_id = point.doc_id
order by point.point_no
