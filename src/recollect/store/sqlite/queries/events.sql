-- add_event --
-- The new event's id; no row when an event with this key is there: a copy is dropped here.
insert into events (key, session_id, project, kind, at, document)
values (:key, :session_id, :project, :kind, :at, :document)
on conflict (key) do nothing
returning id

-- documents_of --
select id, document from events where id in (select value from json_each(:ids))

-- has_event --
select 1 from events where key = :key
