-- In which names of files and folders the stem of a term occurs, all of them in order.
from file_terms
order by stem_key, file_no
