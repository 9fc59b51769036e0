-- A hash of the edges that were found in each file.
select
    source_file,
    concat_ws(
        ' ', count(*),
        sum(hash({
            'from_key': from_key, 'to_key': to_key, 'relation': relation, 'line': line, 'rule': rule,
            'confidence': confidence, 'detail': detail, 'sites': sites
        }))
    ) as edges
from batch
group by source_file
