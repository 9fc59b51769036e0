-- The lines that edges are read from, of a slice of the files. Each file is split into lines once.
create or replace temp table places as
select file_no, list(distinct line order by line) as line_nos
from numbered_edges
where file_no >= getvariable('low') and file_no < getvariable('high')
group by file_no;

insert into snippets
with lines as (
    select
        file_no, unnest(line_nos) as line, unnest(list_select(string_split(source.text, chr(10)), line_nos)) as text
    from places
    join edge_files as file using (file_no)
    join edge_texts as source
        on source.repo = file.repo and source.branch = file.branch and source.file_path = file.source_file
)
select file_no, line, nullif(left(trim(text, chr(9) || chr(13) || ' '), 300), '')
from lines;
