-- Which files of the branch changed, and in which others edges are not those that were found before: Python tells. Chunks
-- that are not as they were are few, and need no index. A checkpoint may give rows of the store other ids.
create or replace temp table touched_files as select source_file, is_changed from told_files;

create or replace temp table changed_files as select source_file from touched_files where is_changed;

create table part.documents as
select
    * exclude (
        embedding,
        sign_0,  -- per 128 dimensions
        metadata_
    )
from store.documents
limit 0;

create view part.nodes as from store.nodes;

set checkpoint_threshold = '1TB';
