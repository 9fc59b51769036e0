-- Weigh all terms anew, however many chunks have them.
create or replace temp table changed_terms as select term_key, term, null::integer as more from fts_terms;

delete from fts_fields;

insert into fts_fields by name
select own.* replace (mean.length as avg_length)
from part.fts_fields as own
join field_means as mean using (field);
