-- Turns, requests, versions of summaries, runs or steps that are there more than once.
with ids as (
    select 'turns' as place, turn_id as id from turns
    union all
    select 'turns by request', concat_ws(' ', session_id, request_id) from turns where request_id is not null
    union all
    select 'history_summaries', concat_ws(' ', session_id, version, last_turn_id) from history_summaries
    union all
    select 'pipeline_runs', run_id from pipeline_runs
    union all
    select 'pipeline_steps', concat_ws(' ', run_id, step_no) from pipeline_steps
)
select place, id, count(*) as copies
from ids
group by place, id
having count(*) > 1
order by place, id
