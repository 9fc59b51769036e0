-- Tests and what lies in their files, if a path leads through them and neither begins nor ends there.
with tests as materialized (
    select node_id from nodes_of_tests()
)
select node_id
from tests
where exists (from tests where node_id in (select unnest($path::integer[])))
    and not exists (from tests where node_id in (select unnest($ends::integer[])));
