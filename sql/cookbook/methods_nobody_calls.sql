-- Methods of the code that nothing in the store calls, names or implements; what frameworks call is left out.
-- Left out: constructors, operators and finalizers; what languages and hosts call by its name, such as Dispose;
-- actions, tests, migrations and main; overrides; implementations, since the interface's own method stands here when
-- nobody calls it or what implements it; methods of types whose bases are all of a framework; members of pages and
-- views, which markup calls; JavaScript, of which markup and other scripts call what is global; and files that are tests,
-- generated or vendored.
with called as (
    select to_id as node_id from edges where relation in ('Calls', 'Uses', 'Handles', 'LeadsTo')
),
untied as (
    select *
    from nodes
    where not is_external
        and node_id not in (select from_id from edges where relation in ('Inherits', 'Implements'))
        and (
            kind = 'TYPE'
            or kind = 'METHOD'
            and node_id not in (from called)
            and node_id not in (select to_id from edges where relation = 'Implements' and from_id in (from called))
        )
),
declared as (
    select
        untied.*,
        split_part(
            array_to_string(string_split(source.text, chr(10))[untied.start_line:untied.end_line], ' '), '{', 1
        ) as declaration
    from untied
    join source_documents as source
        on source.file_path = untied.source_file and source.repo = untied.repo and source.branch = untied.branch
    where source.file_class = 'source'
),
of_framework as (
    select node_key, repo, branch
    from declared
    where kind = 'TYPE' and regexp_matches(split_part(declaration, ' where ', 1), '\b(class|struct|record)\b[^{]*:')
)
select node_key, source_file, start_line, repo, branch
from declared
where kind = 'METHOD' and not regexp_matches(node_key, '^(razor|webforms|javascript):')
    and coalesce(role, '') not in ('ACTION', 'JOB', 'TEST', 'MIGRATION')
    and name not in (regexp_replace(split_part(node_key, '.', -2), '^\w+:', ''), 'constructor', 'Main', 'main')
    and not regexp_matches(name, '^((implicit |explicit )?operator |~|__)|[.]')
    and name not in ('Dispose', 'DisposeAsync', 'StartAsync', 'StopAsync', 'Deconstruct')
    and not regexp_matches(node_key, '(Startup[.]Configure\w*|Middleware[.]Invoke(Async)?)[|]')
    and not regexp_matches(declaration, '\boverride\b|@Override')
    and (regexp_replace(node_key, '\.[^.]+\|METHOD$', '|TYPE'), repo, branch) not in (
        select (node_key, repo, branch) from of_framework
    )
order by node_key, repo, branch;
