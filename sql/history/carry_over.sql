-- What the live file holds of conversations and traces; it cannot be made again from sources.
insert into store.turns by name
select
    turn_id, session_id, created_at, question, question_en, answer_en, answer, language, status, run_id, pipeline,
    request_id, metadata
from live.turns;

insert into store.history_summaries by name
select session_id, version, last_turn_id, text, question_en, created_at, model
from live.history_summaries;

insert into store.pipeline_runs by name
select
    run_id, session_id, turn_id, pipeline, question, started_at, milliseconds, status, model, error, settings
from live.pipeline_runs;

insert into store.pipeline_steps by name
select
    run_id, step_no, step_id, action, started_ms, milliseconds, inputs, outputs, decision, next_step_id,
    prompt_tokens, completion_tokens, notes, error
from live.pipeline_steps;
