-- piece: live_as_wanted --
where m.retired_at is null
and m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project)
and (:since is null or m.created_at >= :since)
and (:until is null or m.created_at <= :until)

-- labelled --
-- Ids of memories with one of these types, concepts and files; null asks for none of the kind.
-- A file is meant by its whole path or by its last components.
select m.id from memories m left join portraits p on p.memory_id = m.id
where m.retired_at is null
and m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project)
and (:portrait_types is null
    or p.type in (select value from json_each(:portrait_types))
    or (p.type is null and m.type in (select value from json_each(:types))))
and (:concepts is null or exists (
    select 1 from json_each(coalesce(p.concepts, m.concepts, '[]')) c
    where lower(c.value) in (select value from json_each(:concepts))))
and (:files is null or exists (
    select 1 from json_each(:files) wanted join (
        select m.file_path as path where m.file_path is not null
        union all select value from json_each(coalesce(m.files, '[]'))
        union all select value from json_each(coalesce(p.files_read, '[]'))
        union all select value from json_each(coalesce(p.files_modified, '[]'))
    ) known on known.path = wanted.value
        or substr(known.path, -length(wanted.value) - 1) = '/' || wanted.value))

-- listed --
select m.* from memories m
{live_as_wanted}
order by m.created_at desc, m.id desc
limit :limit offset :offset

-- listed_upwards --
select m.* from memories m
{live_as_wanted}
order by m.created_at, m.id
limit :limit offset :offset

-- listed_among --
-- The same of few, each found by its id; a cross join keeps this order of looking.
select m.* from json_each(:ids) among cross join memories m on m.id = among.value
{live_as_wanted}
order by m.created_at desc, m.id desc
limit :limit offset :offset

-- listed_among_upwards --
select m.* from json_each(:ids) among cross join memories m on m.id = among.value
{live_as_wanted}
order by m.created_at, m.id
limit :limit offset :offset

-- listed_ids --
select m.id from memories m
{live_as_wanted}
and (:ids is null or m.id in (select value from json_each(:ids)))
order by m.created_at desc, m.id desc

-- count_listed --
select count(*) from memories m
{live_as_wanted}
and (:ids is null or m.id in (select value from json_each(:ids)))

-- listed_before --
-- Nearest first.
select m.* from memories m
where m.retired_at is null
and m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project)
and m.created_at <= :created_at
and (m.created_at < :created_at or m.id < :id)
order by m.created_at desc, m.id desc
limit :limit

-- listed_after --
select m.* from memories m
where m.retired_at is null
and m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project)
and m.created_at >= :created_at
and (m.created_at > :created_at or m.id > :id)
order by m.created_at, m.id
limit :limit

-- projects --
select project from sessions union select project from memories where retired_at is null order by 1
