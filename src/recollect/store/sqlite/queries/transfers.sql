-- own_id --
select id from self

-- imported --
select key, memory_id from imports where key in (select value from json_each(:keys))

-- note_import --
insert into imports (key, memory_id) values (:key, :memory_id)

-- import_keys --
-- A memory that several lines became has the key of the first.
select memory_id, min(key) as key from imports
where memory_id in (select value from json_each(:ids))
group by memory_id

-- export_page --
select id from memories
where id > :after and (:project is null or project = :project)
order by id limit :limit
