-- Conversations that are not what their turns say: first question, times and number.
with told as (
    select
        session_id, arg_min(question, (created_at, turn_id)) as title, min(created_at) as created_at,
        max(created_at) as last_turn_at, count(*) as turns
    from turns
    group by session_id
)
select session_id, conversation.turns, told.turns as stored_turns, conversation.title, told.title as first_question
from conversations as conversation
full join told using (session_id)
where (conversation.title, conversation.created_at, conversation.last_turn_at, conversation.turns)
    is distinct from (told.title, told.created_at, told.last_turn_at, told.turns)
order by session_id
