-- Chunks that are compared, not looked for, need no index. A checkpoint may give rows of the store other ids.
drop table part.documents;

create table part.documents as select * exclude (metadata_) from store.documents limit 0;

set checkpoint_threshold = '1TB';
