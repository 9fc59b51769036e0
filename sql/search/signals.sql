-- What ranks chunks beside their place.
select *
from chunk_signals
where chunk_no in (select unnest($chunks::integer[]))
