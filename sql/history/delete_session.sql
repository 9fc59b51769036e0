-- All that is known of one session: runs and their steps as well.
delete from pipeline_steps
where run_id in (select run_id from pipeline_runs where session_id = $session_id);

delete from pipeline_runs where session_id = $session_id;

delete from history_summaries where session_id = $session_id;

delete from turns where session_id = $session_id;
