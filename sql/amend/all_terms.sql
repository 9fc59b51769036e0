-- Weigh all terms anew.
insert into changed_terms
select term_key, term, 0 from fts_terms where term_key not in (select term_key from changed_terms);

update fts_fields
set avg_length = mean.length
from field_means as mean
where mean.field = fts_fields.field;
