-- Times of files that changed in nothing else.
update store.source_documents as held
set size = own.size, mtime = own.mtime
from retimed as own
where held.repo = getvariable('repo') and held.branch = getvariable('branch') and held.file_path = own.file_path;
