-- outpost_mark --
select identity, model, change_seq, vector_seq from outposts where place = :place

-- add_outpost_mark --
insert into outposts (place, identity, model, change_seq, vector_seq)
values (:place, :identity, :model, :change_seq, :vector_seq)
on conflict (place) do nothing

-- move_outpost_mark --
update outposts set identity = :identity, model = :model,
    change_seq = :change_seq, vector_seq = :vector_seq
where place = :place and identity = :from_identity and model = :from_model
and change_seq = :from_change and vector_seq = :from_vector

-- embedded_since --
select v.seq, v.memory_id, m.kind, m.project, m.created_at, v.vector
from vectors v join memories m on m.id = v.memory_id
where v.seq > :seq and v.model_id = :model_id and v.view = :view
order by v.seq limit :limit

-- newest_embedded --
-- By id, which is the order in which they were stored.
select v.seq, v.memory_id, m.kind, m.project, m.created_at, v.vector
from memories m join vectors v
on v.memory_id = m.id and v.model_id = :model_id and v.view = :view
where m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project) and length(v.vector) > 0
order by m.id desc limit :limit

-- embedded_among --
select memory_id from vectors
where memory_id in (select value from json_each(:ids))
and model_id = :model_id and view = :view and length(vector) > 0

-- count_embedded --
select m.kind, count(*) as many
from vectors v join memories m on m.id = v.memory_id
where v.model_id = :model_id and v.view = :view and length(v.vector) > 0
group by m.kind

-- count_through --
select count(*) from vectors
where seq <= :seq and model_id = :model_id and view = :view and length(vector) > 0
