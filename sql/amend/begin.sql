-- Chunks that are not as they were are few, and need no index. A checkpoint may give rows of the store other ids.
drop table part.documents;

create table part.documents as
select
    * exclude (
        embedding,
        sign_0,  -- per 128 dimensions
        metadata_
    )
from store.documents
limit 0;

create or replace temp table same_chunks (chunk_no integer, live_no integer);

set checkpoint_threshold = '1TB';
