-- paint --
insert or replace into portraits (
    memory_id, type, title, subtitle, facts, narrative, concepts, files_read, files_modified,
    made_by
) values (
    :memory_id, :type, :title, :subtitle, :facts, :narrative, :concepts, :files_read,
    :files_modified, :made_by
)

-- portraits_of --
select * from portraits where memory_id in (select value from json_each(:ids))

-- recap --
insert or replace into recaps (
    memory_id, request, investigated, learned, completed, next_steps, notes, files_read,
    files_edited, made_by
) values (
    :memory_id, :request, :investigated, :learned, :completed, :next_steps, :notes, :files_read,
    :files_edited, :made_by
)

-- recaps_of --
select * from recaps where memory_id in (select value from json_each(:ids))

-- portrait_texts --
-- All that portraits and recaps say, to be looked through for words.
select p.memory_id, p.title || char(10) || coalesce(p.subtitle, '') || char(10) || p.facts
    || char(10) || p.narrative || char(10) || p.concepts || char(10) || p.files_read
    || char(10) || p.files_modified as text
from portraits p where p.memory_id > :after
union all
select r.memory_id, r.request || char(10) || r.investigated || char(10) || r.learned
    || char(10) || r.completed || char(10) || r.next_steps || char(10) || coalesce(r.notes, '')
    || char(10) || r.files_read || char(10) || r.files_edited
from recaps r where r.memory_id > :after
order by memory_id limit :limit

-- drop_titles --
update memories set title = null where id in (select value from json_each(:ids))

-- drop_portraits --
delete from portraits where memory_id in (select value from json_each(:ids))

-- drop_recaps --
delete from recaps where memory_id in (select value from json_each(:ids))
