-- The steps of a run in order of execution.
select * exclude (run_id)
from pipeline_steps
where run_id = $run_id
order by step_no
