-- Which chunks of the branch are as they were, but for their numbers, and of which the words are known.
create or replace temp table same_documents as
select node_id
from part.documents as own
join store.documents as held using (node_id)
where held.repo = getvariable('repo') and held.branch = getvariable('branch')
    and these_same
    and (held.sign_0 is not null or own.sign_0 is null);  -- else it has a vector since

insert into known_chunks
select own.chunk_no, known.chunk_no
from part.documents as own
join store.documents as known using (node_id)
where known.repo = getvariable('repo') and known.branch = getvariable('branch')
    and (
        own.node_id in (from same_documents)
        or known.text = own.text and known.element_type = own.element_type
        and known.element_name = own.element_name and known.kind is not distinct from own.kind
        and known.signature is not distinct from own.signature and known.source_file = own.source_file
        and known.importance_score = own.importance_score
    );
