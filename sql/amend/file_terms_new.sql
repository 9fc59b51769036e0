-- What names of the branch's files are made of, and how rare that is.
update store.file_terms as held
set file_share = own.file_share, folder_share = own.folder_share, rarity = own.rarity
from part.file_terms as own
where own.stem_key = held.stem_key and own.file_no = held.file_no
    and (own.file_share, own.folder_share, own.rarity) <> (held.file_share, held.folder_share, held.rarity);

insert into store.file_terms
from part.file_terms
anti join store.file_terms using (stem_key, file_no)
order by stem_key, file_no;
