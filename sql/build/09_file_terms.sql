-- In which names of files and folders stems occur.
insert into file_terms
with numbered_files as (
    select
        *,
        stem_keys(parts_of(words(regexp_replace(string_split(source_file, '/')[-1], '\.[^.]*$', '')))) as file_keys,
        stem_keys(parts_of(words(array_to_string(string_split(source_file, '/')[-3:-2], ' ')))) as folder_keys
    from file_numbers
),
shares as (
    select repo, branch, file_no, unnest(file_keys) as stem_key, 1 / len(file_keys) as file_share, 0 as folder_share
    from numbered_files
    union all
    select repo, branch, file_no, unnest(folder_keys), 0, 1 / len(folder_keys) from numbered_files
),
totals as (
    select repo, branch, greatest(count(*), 2) as files from numbered_files group by repo, branch
)
select
    stem_key, file_no, sum(file_share), sum(folder_share),
    ln(any_value(files) / greatest(
        count(*) filter (where sum(file_share) > 0) over (partition by repo, branch, stem_key), 1
    )) / ln(any_value(files))
from shares
join totals using (repo, branch)
group by repo, branch, stem_key, file_no
order by stem_key, file_no;

drop table file_numbers;
