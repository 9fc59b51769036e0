-- How postings are weighed: the share of a field in the frequency of a term. Parameters are a variable, because it is a
-- constant in a statement: subqueries would be joined to each posting.
set variable fields = (
    select map(list(field), list({'weight': weight, 'b': b, 'avg_length': avg_length})) from fts_fields
);

create or replace temp macro normalised(field, tf, length) as
    field.weight * tf / (1 - field.b + field.b * length / field.avg_length);

create or replace temp macro field_tf(field_name, tf, length) as
    normalised(getvariable('fields')[field_name], tf, length);
