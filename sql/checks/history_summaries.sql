-- Summaries whose pointer names no turn of their session, or whose version does not count from 1.
select summary.session_id, summary.version, summary.last_turn_id, turn.turn_id is not null as has_turn
from history_summaries as summary
left join turns as turn
    on turn.turn_id = summary.last_turn_id and turn.session_id = summary.session_id
where turn.turn_id is null or summary.version < 1
order by summary.session_id, summary.version
