-- Steps of runs that are not there yet; to be added before the runs.
insert into pipeline_steps by name
with given as (
    select unnest(from_json($rows::json, '[{
        "run_id": "VARCHAR", "step_no": "BIGINT", "step_id": "VARCHAR", "action": "VARCHAR",
        "started_ms": "DOUBLE", "milliseconds": "DOUBLE", "inputs": "JSON", "outputs": "JSON",
        "decision": "VARCHAR", "next_step_id": "VARCHAR", "prompt_tokens": "BIGINT", "completion_tokens": "BIGINT",
        "notes": "VARCHAR[]", "error": "VARCHAR"
    }]'), recursive := true)
)
from given
anti join pipeline_runs as known using (run_id)
