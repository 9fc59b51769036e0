-- Links of the map from or to files and points that are not there.
select source_file, line, target
from map_links as link
where not exists (from source_documents as file where file.doc_id = link.doc_id)
    or (
        target_doc_id is not null
        and not exists (from source_documents as file where file.doc_id = link.target_doc_id)
    )
    or (
        source_point_no is not null
        and not exists (from map_points as point where point.point_no = link.source_point_no)
    )
    or (
        target_point_no is not null
        and not exists (from map_points as point where point.point_no = link.target_point_no)
    )
order by source_file, line, target
