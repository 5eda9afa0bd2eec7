-- piece: as_wanted --
-- What is asked of a memory besides its kind, project and time.
and (:is_retired is null or (m.retired_at is not null) = :is_retired)
and (:is_pinned is null or m.is_pinned = :is_pinned)
and (:origins is null or m.origin in (select value from json_each(:origins)))
and (:types is null or m.type in (select value from json_each(:types)))
and (:file is null or exists (
    select 1 from (
        select m.file_path as path
        union all select value from json_each(coalesce(m.files, '[]'))
        union all select f.value from portraits p, json_each(p.files_read) f
            where p.memory_id = m.id
        union all select f.value from portraits p, json_each(p.files_modified) f
            where p.memory_id = m.id
    ) known where known.path = :file
        or substr(known.path, -length(:file) - 1) = '/' || :file))

-- browsed --
-- Of one kind, newest first, behind a place in that order.
select m.* from memories m
where m.kind = :kind
and m.created_at >= :since and m.created_at <= :until
and (m.created_at < :at or m.id < :id)
{as_wanted}
order by m.created_at desc, m.id desc
limit :limit

-- browsed_in_project --
select m.* from memories m
where m.project = :project and m.kind = :kind
and m.created_at >= :since and m.created_at <= :until
and (m.created_at < :at or m.id < :id)
{as_wanted}
order by m.created_at desc, m.id desc
limit :limit

-- browsed_ids --
select m.id from memories m
where m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project)
and m.created_at >= :since and m.created_at <= :until
{as_wanted}

-- browsed_among --
-- The same of few, each found by its id; a cross join keeps this order of looking.
select m.* from json_each(:ids) among cross join memories m on m.id = among.value
where m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project)
and m.created_at >= :since and m.created_at <= :until
and (m.created_at < :at or m.id < :id)
{as_wanted}
order by m.created_at desc, m.id desc
limit :limit

-- pinned_ids --
select id from memories where is_pinned = 1

-- retired_ids --
select id from memories where retired_at is not null

-- count_browsed --
select count(*) as n from memories m
where m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project)
and m.created_at >= :since and m.created_at <= :until
{as_wanted}

-- count_kinds --
-- Retired ones among them; an index alone answers, as in the five that follow.
select count(*) as n from memories m
where m.kind in (select value from json_each(:kinds))
and m.created_at >= :since and m.created_at <= :until

-- count_kinds_in_project --
select count(*) as n from memories m
where m.project = :project and m.kind in (select value from json_each(:kinds))
and m.created_at >= :since and m.created_at <= :until

-- count_retired --
select count(*) as n from memories m
where m.retired_at is not null and m.kind in (select value from json_each(:kinds))
and m.created_at >= :since and m.created_at <= :until
and (:project is null or m.project = :project)

-- browsed_with_words --
-- Those that hold the words, best match first.
select m.* from words w join memories m on m.id = w.rowid
where words match :match
and m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project)
and m.created_at >= :since and m.created_at <= :until
{as_wanted}
order by w.rank
limit :limit offset :offset

-- count_by_time --
-- In stretches of time, retired ones among them.
select (m.created_at - :since) / :width as stretch, m.kind, count(*) as n from memories m
where m.kind in (select value from json_each(:kinds))
and m.created_at >= :since and m.created_at <= :until
group by stretch, m.kind

-- count_by_time_in_project --
select (m.created_at - :since) / :width as stretch, m.kind, count(*) as n from memories m
where m.project = :project and m.kind in (select value from json_each(:kinds))
and m.created_at >= :since and m.created_at <= :until
group by stretch, m.kind

-- count_retired_by_time --
select (m.created_at - :since) / :width as stretch, m.kind, count(*) as n from memories m
where m.retired_at is not null and m.kind in (select value from json_each(:kinds))
and m.created_at >= :since and m.created_at <= :until
and (:project is null or m.project = :project)
group by stretch, m.kind

-- span_of_memories --
-- Kind by kind through an index.
select min((
    select m.created_at from memories m
    where m.kind = k.value and (:project is null or m.project = :project)
    order by m.created_at limit 1
)) as first, max((
    select m.created_at from memories m
    where m.kind = k.value and (:project is null or m.project = :project)
    order by m.created_at desc limit 1
)) as last
from json_each(:kinds) k

-- browsed_sessions --
-- Newest start first, behind a place in that order; what is told of a session is read for those
-- on the page only.
with page as (
    select s.*, n.number from sessions s join session_numbers n on n.session_id = s.id
    where (:project is null or s.project = :project)
    and s.started_at >= :since and s.started_at <= :until
    and (s.started_at < :at or (s.started_at = :at and n.number < :number))
    order by s.started_at desc, n.number desc
    limit :limit
)
select p.*,
    (select count(*) from memories m where m.session_id = p.id) as memories,
    (select m.text from memories m where m.session_id = p.id and m.type = 'user_prompt'
        and m.retired_at is null order by m.created_at, m.id limit 1) as first_prompt,
    (select coalesce(nullif(r.request, ''), m.title, m.text)
        from memories m left join recaps r on r.memory_id = m.id
        where m.session_id = p.id and m.type = 'session_summary' and m.retired_at is null
        order by m.created_at desc, m.id desc limit 1) as summary_title
from page p
order by p.started_at desc, p.number desc

-- count_sessions --
select project, count(*) as n from sessions group by project

-- sorts_of_memories --
select project, kind, type, origin, count(*) as n,
    sum(octet_length(text) + coalesce(octet_length(title), 0) + coalesce(octet_length(detail), 0)),
    max(created_at)
from memories where retired_at is null
group by project, kind, type, origin
