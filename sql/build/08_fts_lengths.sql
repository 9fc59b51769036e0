-- Lengths of all chunks.
drop table word_counts;
drop table vocabulary;
drop table word_keys;
drop table new_chunks;
drop table new_postings;
drop table known_chunks;

insert into fts_lengths from lengths order by chunk_no;

drop table lengths;
