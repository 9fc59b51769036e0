-- The turns of a session, or all of them, oldest first.
from turns
where $session_id is null or session_id = $session_id
order by created_at, turn_id
