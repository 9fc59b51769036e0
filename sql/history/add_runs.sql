-- Runs that are not there yet.
insert into pipeline_runs by name
with given as (
    select unnest(from_json($rows::json, '[{
        "run_id": "VARCHAR", "session_id": "VARCHAR", "turn_id": "VARCHAR", "pipeline": "VARCHAR",
        "question": "VARCHAR", "started_at": "TIMESTAMP", "milliseconds": "DOUBLE", "status": "VARCHAR",
        "model": "VARCHAR", "error": "VARCHAR", "settings": "JSON"
    }]'), recursive := true)
)
from given
anti join pipeline_runs as known using (run_id)
