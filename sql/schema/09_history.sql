-- Conversations about the system, and the traces of the pipeline runs that answered them. No keys: rows are added in
-- place, by id, and sql/checks looks after the rest.
create table conversations (
    session_id varchar not null,
    title varchar not null,
    created_at timestamp not null,
    last_turn_at timestamp not null,
    turns bigint not null
);

create table turns (
    turn_id varchar not null,
    session_id varchar not null,
    created_at timestamp not null,
    question varchar not null,
    question_en varchar not null,
    answer_en varchar not null,
    answer varchar not null,
    language varchar not null,
    status varchar not null,
    run_id varchar,
    pipeline varchar,
    request_id varchar,
    metadata json not null
);

create table history_summaries (
    session_id varchar not null,
    version bigint not null,
    last_turn_id varchar not null,
    text varchar not null,
    question_en varchar not null,
    created_at timestamp not null,
    model varchar
);

create table pipeline_runs (
    run_id varchar not null,
    session_id varchar not null,
    turn_id varchar,
    pipeline varchar not null,
    question varchar not null,
    started_at timestamp not null,
    milliseconds double not null,
    status varchar not null,
    model varchar,
    error varchar,
    settings json not null
);

create table pipeline_steps (
    run_id varchar not null,
    step_no bigint not null,
    step_id varchar not null,
    action varchar not null,
    started_ms double not null,
    milliseconds double not null,
    inputs json not null,
    outputs json not null,
    decision varchar,
    next_step_id varchar,
    prompt_tokens bigint not null,
    completion_tokens bigint not null,
    notes varchar[] not null,
    error varchar
);

comment on table conversations is 'Sessions: one row per conversation that has turns. What was said last may still wait in the journal beside the store.';
comment on column conversations.session_id is 'Name of the session.';
comment on column conversations.title is 'Its first question.';
comment on column conversations.created_at is 'When its first question was asked, UTC.';
comment on column conversations.last_turn_at is 'When its last question was asked, UTC.';
comment on column conversations.turns is 'Number of its turns.';
comment on table turns is 'Questions with their answers: as asked, in English, and translated back.';
comment on column turns.turn_id is 'Id of the turn.';
comment on column turns.session_id is 'Session that it belongs to.';
comment on column turns.created_at is 'When it was asked, UTC; orders the turns of a session, then turn_id does.';
comment on column turns.question is 'Question as asked.';
comment on column turns.question_en is 'Question in English.';
comment on column turns.answer_en is 'Answer in English.';
comment on column turns.answer is 'Answer in the language of the question.';
comment on column turns.language is 'Language of the question: en, pl.';
comment on column turns.status is 'answered, insufficient or failed.';
comment on column turns.run_id is 'Run that answered it: pipeline_runs.run_id.';
comment on column turns.pipeline is 'Pipeline that answered it.';
comment on column turns.request_id is 'Id that the caller gave: in one session it is saved once.';
comment on column turns.metadata is 'Citations, gaps and other small facts.';
comment on table history_summaries is 'Versions of the rolling summary of each session; the highest is used.';
comment on column history_summaries.session_id is 'Session that it sums up.';
comment on column history_summaries.version is 'Counts from 1.';
comment on column history_summaries.last_turn_id is 'Pointer: the newest turn that it covers.';
comment on column history_summaries.text is 'The summary, in English.';
comment on column history_summaries.question_en is 'Question that it was made for.';
comment on column history_summaries.created_at is 'When it was made, UTC.';
comment on column history_summaries.model is 'Model that wrote it.';
comment on table pipeline_runs is 'Runs of pipelines: one row per question that was put to one.';
comment on column pipeline_runs.run_id is 'Id of the run.';
comment on column pipeline_runs.session_id is 'Session that it belongs to.';
comment on column pipeline_runs.turn_id is 'Turn that it saved: turns.turn_id; null when it saved none.';
comment on column pipeline_runs.pipeline is 'Name of the pipeline.';
comment on column pipeline_runs.question is 'Question as asked.';
comment on column pipeline_runs.started_at is 'When it began, UTC.';
comment on column pipeline_runs.milliseconds is 'How long it took.';
comment on column pipeline_runs.status is 'answered, insufficient, failed or cancelled.';
comment on column pipeline_runs.model is 'Language model, without keys.';
comment on column pipeline_runs.error is 'What ended it early.';
comment on column pipeline_runs.settings is 'Settings of the pipeline.';
comment on table pipeline_steps is 'Steps of the runs in order of execution: inputs, outputs, time and decision of each.';
comment on column pipeline_steps.run_id is 'pipeline_runs.run_id.';
comment on column pipeline_steps.step_no is 'Position in the run, from 1.';
comment on column pipeline_steps.step_id is 'Id of the step in the pipeline.';
comment on column pipeline_steps.action is 'What it does.';
comment on column pipeline_steps.started_ms is 'Milliseconds from the start of the run.';
comment on column pipeline_steps.milliseconds is 'How long it took.';
comment on column pipeline_steps.inputs is 'What it was given, shortened.';
comment on column pipeline_steps.outputs is 'What it changed, shortened.';
comment on column pipeline_steps.decision is 'Branch that it took, such as on_over.';
comment on column pipeline_steps.next_step_id is 'Step that followed.';
comment on column pipeline_steps.prompt_tokens is 'Tokens that the model read.';
comment on column pipeline_steps.completion_tokens is 'Tokens that the model wrote.';
comment on column pipeline_steps.notes is 'What the step says of itself.';
comment on column pipeline_steps.error is 'What went wrong in it.';
