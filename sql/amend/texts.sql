-- Texts of chunks of files that did not change, of which other things are not as they were.
update part.documents
set text = held.text
from store.documents as held
where documents.text is null and held.node_id = documents.node_id;
