-- What differs between two branches of a repository: files, and objects by their key and their text.
-- Rows are joined to this, so that a branch that the store does not hold is an error and not an empty side.
create macro compared_branches(in_repo, from_branch, to_branch) as table
    with asked as (
        select unnest([from_branch, to_branch]) as branch, unnest([true, false]) as is_old
    ),
    held as (
        select string_agg(repo || ', ' || branch, '; ' order by repo, branch) as names from snapshots
    )
    select
        case
            when snapshots.branch is null
                then error(concat('the store holds no ', concat_ws(', ', in_repo, asked.branch), '; it holds ', held.names))
            else in_repo
        end as repo,
        asked.branch, asked.is_old
    from asked
    cross join held
    left join snapshots on snapshots.repo = in_repo and snapshots.branch = asked.branch;

create macro file_changes(in_repo, from_branch, to_branch) as table
    with file as materialized (
        select is_old, file_path, content_hash
        from source_documents
        join compared_branches(in_repo, from_branch, to_branch) using (repo, branch)
    )
    select
        file_path,
        case
            when before.content_hash is null then 'added'
            when after.content_hash is null then 'removed'
            else 'changed'
        end as change
    from (from file where is_old) as before
    full join (from file where not is_old) as after using (file_path)
    where before.content_hash is distinct from after.content_hash
    order by file_path;

-- Where the text of each object is. A key may have several definitions, such as overloads and parts of a class: the
-- node has the place of the first, chunks have those of the others.
create macro definition_pieces(in_repo, from_branch, to_branch) as table
    with defined as materialized (
        select branch = from_branch as is_old, node_key, source_file, start_line, end_line
        from nodes
        where repo = in_repo and branch in (from_branch, to_branch) and not is_external
            and source_file is not null
    ),
    stretch as (
        select * from defined
        union
        select defined.is_old, defined.node_key, chunk.source_file, chunk.start_line, chunk.end_line
        from documents as chunk
        join defined on defined.node_key = chunk.node_key and defined.is_old = (chunk.branch = from_branch)
        where chunk.repo = in_repo and chunk.branch in (from_branch, to_branch) and not (
            chunk.source_file = defined.source_file
            and chunk.start_line <= defined.end_line and chunk.end_line >= defined.start_line
        )
    )
    select
        is_old, node_key, source_file, start_line, end_line,
        row_number() over (partition by is_old, node_key order by source_file, start_line, end_line) as piece_no
    from stretch;

-- Only text in files that differ is read, line by line: no line is copied for each object that it belongs to.
create macro object_changes(in_repo, from_branch, to_branch) as table
    with object as materialized (
        select is_old, node_key, kind, name, schema, source_file, start_line, end_line
        from nodes
        join compared_branches(in_repo, from_branch, to_branch) using (repo, branch)
        where not is_external and source_file is not null
    ),
    differing_file as materialized (
        select file_path from file_changes(in_repo, from_branch, to_branch)
    ),
    piece as materialized (
        select * from definition_pieces(in_repo, from_branch, to_branch)
    ),
    suspect as (
        select node_key
        from piece
        group by node_key
        having bool_or(source_file in (from differing_file)) and count(distinct is_old) = 2
    ),
    piece_line as (
        select
            is_old, node_key, source_file, piece_no, start_line,
            unnest(range(start_line, end_line + 1)) as line_no
        from piece
        semi join suspect using (node_key)
    ),
    read_file as (
        select distinct is_old, source_file from piece semi join suspect using (node_key)
    ),
    file_line as (
        select is_old, source_file, unnest(lines) as line, unnest(range(1, len(lines) + 1)) as line_no
        from (
            select read_file.*, string_split(source.text, chr(10)) as lines
            from read_file
            join source_documents as source
                on source.file_path = read_file.source_file and source.repo = in_repo
                and source.branch = case when read_file.is_old then from_branch else to_branch end
        )
    ),
    definition_line as materialized (
        select
            is_old, node_key, hash(line) as line_hash,
            hash(piece_no, piece_line.line_no - start_line, line) as place_hash
        from piece_line
        join file_line using (is_old, source_file, line_no)
    ),
    changed_key as materialized (
        select node_key
        from definition_line
        group by node_key
        having bit_xor(place_hash) filter (where is_old)
            is distinct from bit_xor(place_hash) filter (where not is_old)
    ),
    line_balance as (
        select node_key, 2 * count(*) filter (where not is_old) - count(*) as balance
        from definition_line
        semi join changed_key using (node_key)
        group by node_key, line_hash
    ),
    changed_lines as (
        select
            node_key, sum(greatest(balance, 0)) as added, sum(greatest(-balance, 0)) as removed
        from line_balance
        group by node_key
    ),
    all_lines as (
        select is_old, node_key, sum(end_line - start_line + 1) as lines from piece group by all
    ),
    compared as materialized (
        select
            coalesce(before.node_key, after.node_key) as node_key,
            coalesce(after.kind, before.kind) as kind,
            coalesce(after.name, before.name) as name,
            coalesce(after.schema, before.schema) as schema,
            case
                when before.node_key is null then 'added'
                when after.node_key is null then 'removed'
                when changed_lines.node_key is not null then 'changed'
                when before.source_file <> after.source_file then 'moved'
            end as change,
            changed_lines.added, changed_lines.removed,
            before.source_file as old_file, before.start_line as old_start, before.end_line as old_end,
            after.source_file as new_file, after.start_line as new_start, after.end_line as new_end
        from (from object where is_old) as before
        full join (from object where not is_old) as after on after.node_key = before.node_key
        left join changed_lines on changed_lines.node_key = before.node_key
    ),
    told as (
        select old_file as source_file from compared where change is not null and kind <> 'FILE'
        union
        select new_file from compared where change is not null and kind <> 'FILE'
    )
    select
        compared.change, compared.kind, compared.node_key, compared.schema, compared.name,
        coalesce(case change when 'added' then all_lines.lines else compared.added end, 0)::integer as lines_added,
        coalesce(case change when 'removed' then all_lines.lines else compared.removed end, 0)::integer as lines_removed,
        old_file, old_start, old_end, new_file, new_start, new_end
    from compared
    left join all_lines
        on all_lines.node_key = compared.node_key and all_lines.is_old = (compared.change = 'removed')
    where compared.change is not null
        -- a file is told only where none of its objects tells the change
        and (compared.kind <> 'FILE' or (old_file not in (from told) and new_file not in (from told)) is not false)
    order by compared.node_key, compared.change;

comment on macro table compared_branches is
    'The two branches of a repository that are compared, is_old the first; an error when the store does not hold one.';
comment on macro table file_changes is
    'Files that were added, removed or changed: file_changes(''shop'', ''main'', ''develop'').';
comment on macro table definition_pieces is
    'Files and lines that define each object of two branches, is_old those of the first, in order of piece_no.';
comment on macro table object_changes is
    'Objects that were added, removed, changed in their text or moved to another file, with the number of lines: '
    'object_changes(''shop'', ''main'', ''develop''). A line that only moved within an object counts as neither added '
    'nor removed. A file is listed itself where no object in it tells the change.';
