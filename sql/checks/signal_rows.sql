-- Chunks without signals, or with those of a file that has none; both would be left out of every ranking.
select chunk.chunk_no, chunk.id
from documents as chunk
left join chunk_signals as signal using (chunk_no)
left join file_signals as file using (file_no)
where file.file_no is null
union all
select chunk_no, 'chunk_signals has it more than once'
from chunk_signals
group by chunk_no
having count(*) > 1
order by chunk_no
