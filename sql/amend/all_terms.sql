-- Weigh all terms anew.
insert into changed_terms
select term_key, term, 0 from fts_terms where term_key not in (select term_key from changed_terms);

delete from fts_fields;

insert into fts_fields by name
select own.* replace (mean.length as avg_length)
from part.fts_fields as own
join field_means as mean using (field);
