-- outdate_fact --
-- A memory that is retired is no live fact either; an identical one may come again.
update facts set is_live = 0 where memory_id = :id

-- relive_fact --
-- With its memory. One that says the same as another, which came meanwhile, is no twin of it.
update facts
set is_live = 1, reason = null, content_key = case when exists (
    select 1 from facts o where o.is_live = 1 and o.content_key = facts.content_key
    and o.subject_key = facts.subject_key and o.category = facts.category
) then null else content_key end
where memory_id = :id

-- add_fact --
-- A live fact with the same words, subject and category makes this fail: look for it first.
-- The subject in the form in which its oldest live claim has it.
insert into facts (
    memory_id, public_id, subject, subject_key, category, confidence, content_key
) values (
    :memory_id, :public_id,
    coalesce((
        select subject from facts where memory_id = (
            select min((
                select f.memory_id from facts f
                where f.is_live = 1 and f.subject_key = :subject_key and f.category = c.value
                order by f.memory_id limit 1
            )) from json_each(:categories) c
        )
    ), :subject),
    :subject_key, :category, :confidence, :content_key
)

-- confirm_fact --
update facts set confidence = max(confidence, :confidence) where memory_id = :id

-- reword_fact --
update facts set content_key = :content_key, reason = :reason where memory_id = :id

-- explain_fact --
update facts set reason = :reason where memory_id = :id

-- newest_facts --
select memory_id from facts where is_live = 1 order by memory_id desc limit :limit

-- newest_facts_about --
-- The newest of each category, of which there are few, so that an index finds them.
select f.memory_id from json_each(:categories) c join facts f on f.memory_id in (
    select g.memory_id from facts g
    where g.is_live = 1 and g.subject_key = :subject_key and g.category = c.value
    order by g.memory_id desc limit :limit
)
order by f.memory_id desc limit :limit

-- count_facts --
-- An index alone answers.
select subject_key, category, count(*) as count, min(memory_id) as first
from facts
where is_live = 1 and (:subject_key is null or subject_key = :subject_key)
group by subject_key, category

-- span_of_facts --
-- Kind by kind through an index: the outermost that has a live claim.
select min((
    select m.created_at from memories m
    where m.kind = k.value
    and exists (select 1 from facts f where f.memory_id = m.id and f.is_live = 1)
    order by m.created_at limit 1
)) as oldest, max((
    select m.created_at from memories m
    where m.kind = k.value
    and exists (select 1 from facts f where f.memory_id = m.id and f.is_live = 1)
    order by m.created_at desc limit 1
)) as newest
from json_each(:kinds) k

-- span_of_facts_about --
select min(m.created_at) as oldest, max(m.created_at) as newest
from facts f join memories m on m.id = f.memory_id
where f.is_live = 1 and f.subject_key = :subject_key

-- facts_tail --
-- sqlite_sequence has the highest number ever used, whatever was removed since.
select coalesce((select seq from sqlite_sequence where name = 'changes'), 0) as newest,
    (select min(seq) from changes) as oldest

-- facts_after --
select memory_id, subject, subject_key, category from facts
where memory_id > :after and is_live = 1
order by memory_id limit :limit

-- facts_since --
select c.seq, c.memory_id, f.subject, f.subject_key, f.category
from changes c left join facts f on f.memory_id = c.memory_id and f.is_live = 1
where c.seq > :seq
order by c.seq limit :limit

-- same_fact --
select memory_id from facts
where content_key = :content_key and subject_key = :subject_key and category = :category
and is_live = 1

-- fact_by_public_id --
select * from facts where public_id = :public_id

-- facts_of --
select * from facts where memory_id in (select value from json_each(:ids))
