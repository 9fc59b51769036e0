-- An index that was dropped; it cannot be made while a statement is at work that began before the numbers changed.
create unique index if not exists documents_chunk_no on store.documents (chunk_no);
