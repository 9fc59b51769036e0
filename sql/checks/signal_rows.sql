-- Chunks without signals, or with several; both would be left out of rankings or ranked twice.
select chunk.chunk_no, chunk.id
from documents as chunk
left join chunk_signals as signal using (chunk_no)
where signal.chunk_no is null
union all
select chunk_no, 'chunk_signals has it more than once'
from chunk_signals
group by chunk_no
having count(*) > 1
order by chunk_no
