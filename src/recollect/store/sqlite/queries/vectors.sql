-- delete_vectors --
-- The text has changed or is found no more: what it meant is no longer true.
delete from vectors where memory_id = :id

-- find_model --
select id, dimension from models where name = :model

-- add_model --
insert into models (name, dimension) values (:model, :dimension) returning id

-- models --
select id, name, dimension from models order by id

-- model_dimension --
select dimension from models where id = :model_id

-- vector_tail --
-- How far the store has got. sqlite_sequence has the highest number ever used, so that what was
-- removed at the end is noticed as well.
select
    m.id, m.dimension,
    coalesce((select seq from sqlite_sequence where name = 'vectors'), 0) as vector_seq,
    coalesce((select seq from sqlite_sequence where name = 'changes'), 0) as change_seq,
    (select min(seq) from changes) as oldest_change
from (select 1) left join models m on m.name = :model

-- put_vector --
-- Only while the memory says what was embedded; a vector that is there already stays.
insert into vectors (model_id, view, memory_id, vector)
select :model_id, :view, id, :vector from memories
where id = :memory_id and updated_at = :version and retired_at is null
on conflict (memory_id, model_id, view) do nothing

-- vectors_since --
select seq, memory_id, vector from vectors
where seq > :seq and model_id = :model_id and view = :view
order by seq limit :limit

-- vector_changes --
select c.seq, c.memory_id, v.seq is not null as has_vector
from changes c left join vectors v
on v.memory_id = c.memory_id and v.model_id = :model_id and v.view = :view
where c.seq > :seq
order by c.seq limit :limit

-- unread_after --
-- Memories with a meaning and without a vector, in order. The beginning of a text is enough.
select m.id, m.updated_at, m.kind, m.origin, m.speaker, m.title, substr(m.text, 1, :most) as text,
    m.file_path, f.subject, f.category, m.tags,
    coalesce(p.narrative, r.request || char(10) || r.learned || char(10) || r.completed) as portrait
from memories m left join facts f on f.memory_id = m.id
left join portraits p on p.memory_id = m.id
left join recaps r on r.memory_id = m.id
where m.id > :after and m.retired_at is null
and m.kind in (select value from json_each(:kinds))
and not exists (
    select 1 from vectors v
    where v.memory_id = m.id and v.model_id = :model_id and v.view = :view
)
order by m.id limit :limit

-- unread_among --
select m.id, m.updated_at, m.kind, m.origin, m.speaker, m.title, substr(m.text, 1, :most) as text,
    m.file_path, f.subject, f.category, m.tags,
    coalesce(p.narrative, r.request || char(10) || r.learned || char(10) || r.completed) as portrait
from memories m left join facts f on f.memory_id = m.id
left join portraits p on p.memory_id = m.id
left join recaps r on r.memory_id = m.id
where m.id in (select value from json_each(:ids)) and m.retired_at is null
and m.kind in (select value from json_each(:kinds))
and not exists (
    select 1 from vectors v
    where v.memory_id = m.id and v.model_id = :model_id and v.view = :view
)
order by m.id

-- embedding_mark --
select change_seq, backlog_id from embedding_marks where model_id = :model_id and view = :view

-- add_embedding_mark --
insert into embedding_marks (model_id, view, change_seq, backlog_id)
values (:model_id, :view, :to_seq, :to_id)
on conflict (model_id, view) do nothing

-- move_embedding_mark --
update embedding_marks set change_seq = :to_seq, backlog_id = :to_id
where model_id = :model_id and view = :view
and change_seq = :from_seq and backlog_id is :from_id

-- count_vectors --
select count(*) from vectors where model_id = :model_id and view = :view

-- unreadable --
select memory_id from vectors
where model_id = :model_id and view = :view and length(vector) = 0
order by memory_id limit :limit

-- count_meaningful --
select count(*) from memories
where retired_at is null and kind in (select value from json_each(:kinds))

-- drop_vectors --
delete from vectors
where model_id = :model_id and view = :view
and memory_id in (select value from json_each(:ids))

-- forget_vectors --
-- The oldest: while one model follows another, those of the former stand at the beginning.
delete from vectors where seq in (
    select seq from vectors where model_id = :model_id order by seq limit :limit
)

-- delete_model --
delete from models where id = :model_id
