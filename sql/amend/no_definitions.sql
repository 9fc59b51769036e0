-- Where one repository is alone it defines nothing for others.
create or replace temp table definitions (node_id integer, definition_id integer);
