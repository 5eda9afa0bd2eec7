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
