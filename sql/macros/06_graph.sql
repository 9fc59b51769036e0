-- How names of nodes and relations are compared.
create macro name_key(some_name) as
    term_key(lower(translate(some_name, '[]"`', '')));

create macro relation_alias(some_name) as
    lower(regexp_replace(regexp_replace(some_name, '^sql_', ''), '[^0-9A-Za-z]', '', 'g'));

comment on macro name_key is 'Key of a node''s name in node_names: lower case, without brackets and quotes.';
comment on macro relation_alias is 'A relation''s name as relation_aliases has it: lower case, letters and digits.';
