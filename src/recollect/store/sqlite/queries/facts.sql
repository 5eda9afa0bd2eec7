-- outdate_fact --
-- A memory that is retired is no live fact either; an identical one may come again.
update facts set is_live = 0 where memory_id = :id

-- add_fact --
-- A live fact with the same words, subject and category makes this fail: look for it first.
insert into facts (
    memory_id, public_id, subject, subject_key, category, confidence, content_key
) values (
    :memory_id, :public_id, :subject, :subject_key, :category, :confidence, :content_key
)

-- same_fact --
select memory_id from facts
where content_key = :content_key and subject_key = :subject_key and category = :category
and is_live = 1

-- fact_by_public_id --
select * from facts where public_id = :public_id

-- facts_of --
select * from facts where memory_id in (select value from json_each(:ids))
