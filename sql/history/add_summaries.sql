-- Versions of summaries that are not there yet; those of turns that were deleted are not taken.
insert into history_summaries by name
with given as (
    select unnest(from_json($rows::json, '[{
        "session_id": "VARCHAR", "version": "BIGINT", "last_turn_id": "VARCHAR", "text": "VARCHAR",
        "question_en": "VARCHAR", "created_at": "TIMESTAMP", "model": "VARCHAR"
    }]'), recursive := true)
)
from given
semi join turns as covered on covered.turn_id = given.last_turn_id and covered.session_id = given.session_id
anti join history_summaries as known using (session_id, version, last_turn_id)
