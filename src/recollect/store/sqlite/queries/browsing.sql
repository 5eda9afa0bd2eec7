-- browsed --
-- Of one kind, newest first, behind a place in that order.
select m.* from memories m
where m.kind = :kind
and m.created_at >= :since and m.created_at <= :until
and (m.created_at < :at or m.id < :id)
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
order by m.created_at desc, m.id desc
limit :limit

-- browsed_in_project --
select m.* from memories m
where m.project = :project and m.kind = :kind
and m.created_at >= :since and m.created_at <= :until
and (m.created_at < :at or m.id < :id)
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
order by m.created_at desc, m.id desc
limit :limit

-- browsed_ids --
select m.id from memories m
where m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project)
and m.created_at >= :since and m.created_at <= :until
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

-- count_browsed --
select count(*) as n from memories m
where m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project)
and m.created_at >= :since and m.created_at <= :until
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

-- browsed_with_words --
-- Those that hold the words, best match first.
select m.* from words w join memories m on m.id = w.rowid
where words match :match
and m.kind in (select value from json_each(:kinds))
and (:project is null or m.project = :project)
and m.created_at >= :since and m.created_at <= :until
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
order by w.rank
limit :limit offset :offset
