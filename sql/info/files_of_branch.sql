-- What is known of the files of one branch without reading them.
select file_path, size, mtime, content_hash, project
from source_documents
where repo = $repo and branch = $branch
order by file_path;
