-- What a question asks for; the value is named once, where the macro names what it is given more than once.
select keys.*
from (select $query_text::varchar as text) as asked, question_keys(asked.text) as keys
