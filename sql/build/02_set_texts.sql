-- Give the chunks that were taken over the texts to embed again.
update stage.chunks
set embedding_text = rebuilt.embedding_text
from rebuilt
where chunks.content_hash = rebuilt.content_hash;
