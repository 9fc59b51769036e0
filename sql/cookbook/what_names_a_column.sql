-- What must change when this column is renamed or dropped? Statements, properties and code that name it, with the line.
-- object: a table or view, such as dbo.Invoice; none, and one that the store does not have, is an error.
-- column: one of its columns, such as DueDate, in any case; none, and one that is not in the definition of the object, is
-- an error. Not checked are tables that no file defines, and definitions that take over columns, as select * and like do.
-- by: statement in the text, without comments, of what reads or writes the object, stands on it or reads it through
-- views; property of a class that maps to it, be it inherited, and its uses; same name of members of
-- other classes and their uses, which may stand for the same thing, as in models and messages. Tests come after all
-- others, migrations last.
with recursive asked as materialized (
    select
        table_ids(coalesce(getvariable('object'), '(object is not set)'), null, null) as node_ids,
        coalesce(getvariable('column'), '(column is not set)') as column_name
),
through as (
    select unnest(node_ids) as node_id from asked
    union
    select edge.from_id
    from through
    join edges as edge on edge.to_id = through.node_id and edge.relation in ('ReadsFrom', 'SynonymFor')
    join nodes as node on node.node_id = edge.from_id and node.kind in ('VIEW', 'FUNC', 'SYNONYM')
),
classes as (
    select edge.from_id as node_id
    from through
    join edges as edge on edge.to_id = through.node_id and edge.relation = 'MapsTo'
    union
    select edge.to_id
    from classes
    join edges as edge on edge.from_id = classes.node_id and edge.relation = 'Inherits'
),
member as materialized (
    select
        node.node_id,
        case when inside.from_id in (select node_id from classes) then 2 else 3 end as certainty
    from nodes as node
    join edges as inside on inside.to_id = node.node_id and inside.relation = 'Contains'
    where node.kind in ('PROPERTY', 'FIELD') and lower(node.name) = (select lower(column_name) from asked)
),
naming as (
    select through.node_id, 1 as certainty from through
    union
    select edge.from_id, 1
    from through
    join edges as edge on edge.to_id = through.node_id and edge.relation in ('ReadsFrom', 'WritesTo', 'On')
    union
    select node_id, certainty from member
),
definition as materialized (
    select chunk.source_file, chunk.text
    from nodes as node
    join documents as chunk using (node_key, repo, branch)
    where node.node_id in (select unnest(node_ids) from asked) and not node.is_external
),
telling_columns as (
    select text from definition
    union all
    select detail from edges where relation = 'SchemaChange' and to_id in (select unnest(node_ids) from asked)
),
checked as materialized (
    select
        (select count(*) from definition) = 0
        or (select count(*) from member where certainty = 2) > 0
        or (
            select bool_or(
                regexp_matches(text, '(?i)(^|\W)' || regexp_escape((select column_name from asked)) || '($|\W)')
                or regexp_matches(text, '(?is)\b(select\b.*\*|like|inherits|partition\s+of)')
            )
            from telling_columns
        ) as may_have_it
),
closest as (
    select word
    from (select distinct unnest(regexp_extract_all(text, '\w+')) as word from definition)
    where jaro_winkler_similarity(lower(word), (select lower(column_name) from asked)) > 0.8
    order by jaro_winkler_similarity(lower(word), (select lower(column_name) from asked)) desc, word
    limit 1
),
place as materialized (
    select naming.node_id, naming.certainty, node.repo, node.branch, node.source_file, node.start_line, node.end_line
    from naming
    join nodes as node using (node_id)
    where node.source_file is not null
    union
    select
        naming.node_id, naming.certainty, chunk.repo, chunk.branch, source_file, chunk.start_line, chunk.end_line
    from naming
    join nodes as node using (node_id)
    join documents as chunk using (node_key, repo, branch, source_file)
    where chunk.file_type <> 'inline_sql'
),
file as materialized (
    select file_path as source_file, repo, branch, text, file_type
    from source_documents
    where (file_path, repo, branch) in (select (source_file, repo, branch) from place)
),
-- lines that name the column outside of comments: texts and names go first, as they may hold what begins one
line as materialized (
    select source_file, repo, branch, snippet, line
    from (
        select
            source_file, repo, branch, unnest(string_split(text, chr(10))) as snippet,
            unnest(string_split(
                array_to_string(
                    list_transform(
                        regexp_extract_all(text, tokens),
                        lambda token: case
                            when regexp_matches(token, comment) then regexp_replace(token, '[^\n]', '', 'g')
                            else token
                        end
                    ),
                    ''
                ),
                chr(10)
            )) as telling,
            generate_subscripts(string_split(text, chr(10)), 1) as line
        from (
            select
                source_file, repo, branch, text,
                case file_type
                    when 'sql'
                    then '''(?:[^'']|'''')*''|\[[^\]\n]*\]|"[^"\n]*"|--[^\n]*|/\*(?s:.*?)(?:\*/|\z)|[^''\["/-]+|(?s:.)'
                    when 'vb' then '"(?:[^"\n]|"")*"|''[^\n]*|[^"'']+|(?s:.)'
                    else '"""(?s:.*?)"""|(?:@|@\$|\$@)"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"|''(?:[^''\\\n]|\\.){1,9}'''
                        || '|//[^\n]*|/\*(?s:.*?)(?:\*/|\z)|[^"''/@$]+|(?s:.)'
                end as tokens,
                case file_type when 'sql' then '^(--|/\*)' when 'vb' then '^''' else '^(//|/\*)' end as comment
            from file
        )
    )
    where case  -- patterns that are no constants are made anew for each line
        when contains(lower(telling), (select lower(column_name) from asked))
        then regexp_matches(
            telling,
            '(?i)(^|[^0-9A-Za-z_\x{C0}-\x{1FFF}])' || regexp_escape((select column_name from asked))
                || '($|[^0-9A-Za-z_\x{C0}-\x{1FFF}])'
        )
        else false
    end
),
found as (
    select place.node_id, place.certainty, place.source_file, line.line, line.snippet
    from place
    join line on line.source_file = place.source_file and line.repo = place.repo and line.branch = place.branch
        and line.line between place.start_line and place.end_line
    union all
    select use.from_id, member.certainty, use.source_file, use.line, use.snippet
    from member
    join edges as use on use.to_id = member.node_id and use.relation = 'Uses'
)
select
    ['statement', 'property', 'same name'][min(found.certainty)] as "by", node.kind, node.node_key,
    arg_min(found.source_file, found.line) as source_file, min(found.line) as line,
    trim(arg_min(found.snippet, found.line)) as snippet
from found
join nodes as node using (node_id)
left join source_documents as file
    on file.file_path = node.source_file and file.repo = node.repo and file.branch = node.branch
where (
    select
        case
            when may_have_it then true
            else error(
                getvariable('object') || ' has no column ' || (select column_name from asked) || ': its definition in '
                || (select min(source_file) from definition) || ' does not name it'
                || coalesce('; did you mean ' || (select word from closest) || '?', '')
            )
        end
    from checked
)
group by node.node_id, node.kind, node.node_key, file.file_class
order by
    coalesce(file.file_class = 'migration', false), coalesce(file.file_class = 'test', false), min(found.certainty),
    node.node_key, source_file, line;
