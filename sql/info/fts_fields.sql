-- What keyword search looks at, and how much each field weighs.
select field, weight, b, avg_length, description
from fts_fields
order by weight desc, field;
