-- What nodes are named by: of this branch alone where no repository defines anything for another.
create or replace view part.nodes as
select node.*
from store.nodes as node
where repo = getvariable('repo') and branch = getvariable('branch') or exists (from definitions);

create or replace view part.edges as
from store.edges
where relation in ('Contains', 'Inherits', 'Implements')
    and (repo = getvariable('repo') and branch = getvariable('branch') or exists (from definitions));
