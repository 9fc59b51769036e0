-- Take nodes out of a branch: all of them, or those with some ids or cut from some documents.
delete from stage.chunks
where repo = $repo and branch = $branch
    and (
        $everything
        or node_id in (select unnest($ids::varchar[]))
        or (llamaindex_node ->> '$.relationships."1".node_id') in (select unnest($documents::varchar[]))
    );
