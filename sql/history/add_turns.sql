-- Turns that are not there yet, neither by id nor by request.
insert into turns by name
with given as (
    select unnest(from_json($rows::json, '[{
        "turn_id": "VARCHAR", "session_id": "VARCHAR", "created_at": "TIMESTAMP", "question": "VARCHAR",
        "question_en": "VARCHAR", "answer_en": "VARCHAR", "answer": "VARCHAR", "language": "VARCHAR",
        "status": "VARCHAR", "run_id": "VARCHAR", "pipeline": "VARCHAR", "request_id": "VARCHAR", "metadata": "JSON"
    }]'), recursive := true)
)
from given
anti join turns as known using (turn_id)
anti join turns as asked on asked.session_id = given.session_id and asked.request_id = given.request_id
