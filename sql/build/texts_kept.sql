-- Texts that were taken over, with the hashes that the live file has of them.
select source.content_hash, source.text
from stage.sources as source
semi join known using (doc_id)
