-- What the live file holds of conversations and traces; it cannot be made again from sources. Sessions that are to be
-- forgotten are not even copied: what is deleted again stays in the file.
insert into store.turns by name
select
    turn_id, session_id, created_at, question, question_en, answer_en, answer, language, status, run_id, pipeline,
    request_id, metadata
from live.turns
where not coalesce(list_contains(getvariable('forgotten')::varchar[], session_id), false);

insert into store.history_summaries by name
select session_id, version, last_turn_id, text, question_en, created_at, model
from live.history_summaries
where not coalesce(list_contains(getvariable('forgotten')::varchar[], session_id), false);

insert into store.pipeline_runs by name
select
    run_id, session_id, turn_id, pipeline, question, started_at, milliseconds, status, model, error, settings
from live.pipeline_runs
where not coalesce(list_contains(getvariable('forgotten')::varchar[], session_id), false);

insert into store.pipeline_steps by name
select
    run_id, step_no, step_id, action, started_ms, milliseconds, inputs, outputs, decision, next_step_id,
    prompt_tokens, completion_tokens, notes, error
from live.pipeline_steps
where run_id not in (
    select run_id from live.pipeline_runs where list_contains(getvariable('forgotten')::varchar[], session_id)
);
