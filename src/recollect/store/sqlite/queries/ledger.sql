-- store_state --
-- How far the store has come. Of the sequences, not of the rows: old changes are forgotten.
select
    coalesce((select seq from sqlite_sequence where name = 'changes'), 0) as changes,
    coalesce((select seq from sqlite_sequence where name = 'vectors'), 0) as vectors

-- keep_answer --
insert or replace into answers (id, asked_at, question, answer)
values (:id, :asked_at, :question, :answer)

-- prune_answers --
-- In the transaction that keeps one: the newest stay.
delete from answers where id in (
    select id from answers order by asked_at desc, id limit -1 offset :most
)

-- answer_by_id --
select * from answers where id = :id

-- newest_answers --
select * from answers order by asked_at desc, id limit :limit

-- forget_answers_about --
-- In the transaction that removes memories: whoever asked for that wants their words gone.
delete from answers where exists (
    select 1 from json_each(answers.answer, '$.ids') told
    where told.value in (select value from json_each(:ids))
)

-- forget_answers_asked --
-- Questions of a project or a time, whatever they found.
delete from answers
where (:project is null or question ->> '$.project' = :project)
and (:session_id is null or question ->> '$.session_id' = :session_id)
and (:before is null or asked_at < :before)
and (:older_than is null or asked_at <= :older_than)

-- questions --
select id, question from answers

-- delete_answers --
delete from answers where id in (select value from json_each(:ids))
