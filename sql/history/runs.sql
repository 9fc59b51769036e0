-- Runs of a session, or all of them, whose id begins so, newest first.
from pipeline_runs
where ($session_id is null or session_id = $session_id) and starts_with(run_id, $prefix)
order by started_at desc, run_id desc
limit $newest
