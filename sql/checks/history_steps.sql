-- Runs whose steps are not numbered 1, 2, 3, and steps without a run.
with numbered as (
    select run_id, step_no, row_number() over (partition by run_id order by step_no) as expected
    from pipeline_steps
)
select run_id, numbered.step_no, numbered.expected, run.run_id is not null as has_run
from numbered
left join pipeline_runs as run using (run_id)
where run.run_id is null or numbered.step_no <> numbered.expected
order by run_id, numbered.step_no
