-- add_trace --
insert into traces (at, query, project, mode, took_ms, detail)
values (:at, :query, :project, :mode, :took_ms, :detail)

-- trim_traces --
delete from traces where id <= (select max(id) from traces) - :most

-- traces --
-- `text` is looked for in the query and in the project; both are folded by SQLite, so only A to Z
-- lose their case.
select * from traces
where (:text is null or instr(lower(query), lower(:text)) > 0
    or instr(lower(coalesce(project, '')), lower(:text)) > 0)
and (:project is null or project = :project)
and (:mode is null or mode = :mode)
and (:since is null or at >= :since)
and (:until is null or at <= :until)
order by at desc, id desc
limit :limit

-- count_traces --
select count(*) from traces
where (:text is null or instr(lower(query), lower(:text)) > 0
    or instr(lower(coalesce(project, '')), lower(:text)) > 0)
and (:project is null or project = :project)
and (:mode is null or mode = :mode)
and (:since is null or at >= :since)
and (:until is null or at <= :until)

-- traced_queries --
select id, query from traces

-- delete_traces --
delete from traces where id in (select value from json_each(:ids))

-- forget_traces --
delete from traces
where (:project is null or project = :project)
and (:before is null or at < :before)
and (:older_than is null or at <= :older_than)

-- add_to_counter --
insert into counters (name, value) values (:name, :more)
on conflict (name) do update set value = value + excluded.value

-- counters --
select name, value from counters where substr(name, 1, length(:prefix)) = :prefix

-- reset_counters --
delete from counters where substr(name, 1, length(:prefix)) = :prefix

-- search_buckets --
select (at - :since) / :width as number, count(*) as n, avg(took_ms) as mean from traces
where at >= :since and at < :until group by number order by number

-- job_buckets --
select (finished_at - :since) / :width as number, count(*) as n,
    avg(finished_at - claimed_at) as mean
from jobs where finished_at >= :since and finished_at < :until group by number order by number

-- failure_buckets --
select (at - :since) / :width as number, count(*) as n, 0.0 as mean from failures
where at >= :since and at < :until group by number order by number
