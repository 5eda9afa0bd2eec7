-- add_job --
insert into jobs (
    session_id, event_id, task, prompt_number, dedupe_key, state, created_at, due_at
) values (:session_id, :event_id, :task, :prompt_number, :dedupe_key, 'pending', :at, :at)
on conflict (session_id, task, dedupe_key) where dedupe_key is not null do nothing
returning id

-- has_job --
select 1 from jobs where session_id = :session_id and task = :task and dedupe_key = :dedupe_key

-- newest_job --
select coalesce(max(id), 0) from jobs

-- due_unread_job --
select 1 from jobs
where state = 'pending' and memory_id is null and due_at <= :now and id <= :upto
limit 1

-- due_read_job --
select 1 from jobs
where state = 'pending' and memory_id is not null and due_at <= :now and id <= :upto
limit 1

-- claim_unread_jobs --
-- Oldest first. Two claimers never get the same job: this is one statement, and writers wait for
-- each other. No two claims of a job have the same time, whatever the clock does.
update jobs set state = 'processing', claimed_at = max(:now, coalesce(claimed_at + 1, 0))
where id in (
    select id from jobs
    where state = 'pending' and memory_id is null and due_at <= :now and id <= :upto
    order by id limit :limit
)
returning id

-- claim_read_jobs --
-- The same for those that rules have read; of a session none before an earlier one that is under
-- way or waits for its time.
update jobs set state = 'processing', claimed_at = max(:now, coalesce(claimed_at + 1, 0))
where id in (
    select j.id from jobs j
    where j.state = 'pending' and j.memory_id is not null and j.due_at <= :now and j.id <= :upto
    and not exists (
        select 1 from jobs e
        where e.session_id = j.session_id and e.id < j.id
        and (e.state = 'processing' or (e.state = 'pending' and e.due_at > :now))
    )
    order by j.id limit :limit
)
returning id

-- jobs_by_id --
select j.*, n.number from jobs j join session_numbers n on n.session_id = j.session_id
where j.id in (select value from json_each(:ids)) order by j.id

-- read_job --
-- Pending again: a model may still look at it.
update jobs set state = 'pending', memory_id = :memory_id
where id = :id and state = 'processing' and claimed_at = :claimed_at

-- finish_job --
update jobs set state = 'done', memory_id = coalesce(:memory_id, memory_id), finished_at = :at,
    model_ms = :model_ms, index_ms = :index_ms
where id = :id and state = 'processing' and claimed_at = :claimed_at

-- fail_job --
-- Tried again when it is due; without a time it is given up.
update jobs set tries = tries + 1,
    state = case when :due_at is null then 'failed' else 'pending' end,
    due_at = coalesce(:due_at, due_at),
    finished_at = case when :due_at is null then :at end
where id = :id and state = 'processing' and claimed_at = :claimed_at

-- stale_job --
-- `<> 'done'` is said again for the sake of the index, here and below.
select 1 from jobs
where state <> 'done' and state = 'processing' and claimed_at < :claimed_before limit 1

-- release_jobs --
update jobs set state = 'pending'
where state <> 'done' and state = 'processing' and claimed_at < :claimed_before
and (:session_number is null or session_id = (
    select session_id from session_numbers where number = :session_number))

-- retry_jobs --
update jobs set state = 'pending', tries = 0, due_at = :at, claimed_at = null, finished_at = null
where state <> 'done' and state = 'failed' and (:session_number is null or session_id = (
    select session_id from session_numbers where number = :session_number))

-- job_depth --
select state, count(*) as n from jobs
where state <> 'done' and (:session_number is null or session_id = (
    select session_id from session_numbers where number = :session_number))
group by state

-- busy_sessions --
-- The sessions that have jobs which are neither done nor given up.
select distinct n.number from jobs j join session_numbers n on n.session_id = j.session_id
where j.state <> 'done' and j.state in ('pending', 'processing')

-- ended_jobs --
-- One bound for both ends of a page, so that the index leads to it.
select j.*, n.number from jobs j join session_numbers n on n.session_id = j.session_id
where j.finished_at is not null
and j.finished_at <= min(
    coalesce(:until, 9223372036854775807), coalesce(:after_end, 9223372036854775807))
and (:after_end is null or j.finished_at < :after_end or j.id < :after_id)
and (:session_number is null or n.number = :session_number)
and (:task is null or j.task = :task)
and (:is_success is null or (j.state = 'done') = :is_success)
and (:since is null or j.finished_at >= :since)
order by j.finished_at desc, j.id desc
limit :limit

-- job_means --
select count(*) as n, coalesce(sum(j.state = 'done'), 0) as successes,
    coalesce(avg(j.claimed_at - j.created_at), 0) as queue_wait,
    coalesce(avg(coalesce(j.model_ms, 0)), 0) as model,
    coalesce(avg(coalesce(j.index_ms, 0)), 0) as indexing,
    coalesce(avg(j.finished_at - j.claimed_at), 0) as total
from jobs j join session_numbers n on n.session_id = j.session_id
where j.finished_at is not null
and (:session_number is null or n.number = :session_number)
and (:task is null or j.task = :task)
and (:is_success is null or (j.state = 'done') = :is_success)
and (:since is null or j.finished_at >= :since)
and (:until is null or j.finished_at <= :until)

-- add_failure --
insert into failures (at, job_id, session_number, task, error_class, error)
values (:at, :job_id, :session_number, :task, :error_class, :error)

-- trim_failures --
delete from failures where id <= (select max(id) from failures) - :most

-- failures --
select * from failures
where (:session_number is null or session_number = :session_number)
and (:task is null or task = :task)
and (:error_class is null or error_class = :error_class)
and (:since is null or at >= :since)
and (:until is null or at <= :until)
order by at desc, id desc
limit :limit

-- failure_errors --
select id, error from failures

-- delete_failures --
delete from failures where id in (select value from json_each(:ids))

-- forget_failures --
delete from failures
where (:before is null or at < :before)
and (:older_than is null or at <= :older_than)
and ((:project is null and :session_id is null) or session_number in (
    select n.number from session_numbers n join sessions s on s.id = n.session_id
    where (:project is null or s.project = :project)
    and (:session_id is null or s.id = :session_id)))

-- failure_classes --
select error_class, count(*) as n from failures
where (:session_number is null or session_number = :session_number)
and (:task is null or task = :task)
and (:error_class is null or error_class = :error_class)
and (:since is null or at >= :since)
and (:until is null or at <= :until)
group by error_class order by n desc, error_class
