-- Take an earlier map out of the store.
drop view if exists corpus_map;
drop view if exists map_link_degrees;
drop table if exists map_links;
drop table if exists map_topics;
drop table if exists map_points;
drop table if exists map_facts;
