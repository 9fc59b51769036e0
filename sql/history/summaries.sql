-- The versions of the summary of a session, or of all sessions.
from history_summaries
where $session_id is null or session_id = $session_id
order by session_id, version
