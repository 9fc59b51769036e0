-- The hits of one side with what ranks them beside their place, in no order.
select hit.*, signal.* exclude (chunk_no)
from (
    -- side
) as hit
join chunk_signals as signal using (chunk_no)
