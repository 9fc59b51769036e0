-- A term of the postings that were taken over, of which the live file does not tell the word.
select term_key
from postings
anti join term_counts using (term_key)
limit 1
