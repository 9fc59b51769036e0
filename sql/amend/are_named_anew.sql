-- Whether there are other names, or other types whose members a type has.
select 1
where exists (from gone_nodes) or exists (from fresh_nodes where is_named_anew)
    or exists (from changed_ties where relation in ('Contains', 'Inherits', 'Implements'))
