-- The sessions as their turns say.
delete from conversations;

insert into conversations by name
select
    session_id, arg_min(question, (created_at, turn_id)) as title, min(created_at) as created_at,
    max(created_at) as last_turn_at, count(*) as turns
from turns
group by session_id
order by session_id;
