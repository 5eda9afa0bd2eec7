-- add_memory --
insert into memories (
    kind, type, project, session_id, prompt_id, prompt_number, event_id, source_event, tool_name,
    file_path, title, text, detail, origin, is_action, created_at, updated_at,
    speaker, tags, concepts, files, is_pinned
) values (
    :kind, :type, :project, :session_id, :prompt_id, :prompt_number, :event_id, :source_event,
    :tool_name, :file_path, :title, :text, :detail, :origin, :is_action, :created_at, :created_at,
    :speaker, :tags, :concepts, :files, :is_pinned
)
returning id

-- note_changes --
-- In the transaction that changes them: indexes derived from memories follow this.
insert into changes (memory_id) select value from json_each(:ids)

-- retire --
-- From now on found no more, and no action any more; it stays readable by its id.
update memories set retired_at = :at, superseded_by = :successor, is_action = 0, updated_at = :at
where id = :id and retired_at is null

-- restore --
-- Found again, as before it was retired.
update memories
set retired_at = null, superseded_by = null, is_action = :is_action, updated_at = :at
where id = :id and retired_at is not null

-- add_words --
-- The words of one memory, in the transaction that adds the memory.
insert into words (rowid, text) values (:id, :text)

-- replace_words --
insert or replace into words (rowid, text) values (:id, :text)

-- delete_words --
delete from words where rowid in (select value from json_each(:ids))

-- fold_words --
-- Merges the index into one piece. Deleted words leave the file only with this.
insert into words (words) values ('optimize')

-- clear_words --
insert into words (words) values ('delete-all')

-- texts --
-- Everything that belongs into the index of words.
select id, text from memories where id > :after order by id limit :limit

-- memories_by_id --
select m.* from memories m
where m.id in (select value from json_each(:ids))

-- search_words --
-- Best match first: rank is negative BM25. Thoughts are shown in traces, never found.
-- Previews only: reading whole memories would cost more than finding them.
select m.id, m.type, m.created_at, substr(m.text, 1, :preview) as text, m.file_path,
    m.session_id, m.is_pinned
from words f join memories m on m.id = f.rowid
where words match :match
and m.kind <> 'thought' and m.retired_at is null
and (:project is null or m.project = :project)
and (:type is null or m.type = :type)
order by f.rank
limit :limit offset :offset

-- repeats --
-- Whether the session did the very same thing since then, and it worked.
select 1 from memories
where session_id = :session_id and type = :type and created_at > :since
and file_path is :file_path and text = :text and detail ->> '$.failed' is null
limit 1

-- has_type --
select 1 from memories where session_id = :session_id and type = :type limit 1

-- has_text --
select 1 from memories where session_id = :session_id and type = :type and text = :text limit 1

-- memory_of_event --
select * from memories where event_id = :event_id and kind in ('observation', 'summary')
order by id limit 1

-- prompt_of --
select id from memories
where session_id = :session_id and type = 'user_prompt' and prompt_number = :number
order by created_at desc, id desc limit 1

-- newest_of_type --
select * from memories where session_id = :session_id and type = :type and retired_at is null
and (:source_event is null or source_event = :source_event)
order by id desc limit 1

-- newest_of_kind --
-- The newest live memories of a kind. One kind each, so that the index has them in order.
select * from memories
where kind = :kind and retired_at is null
and (:types is null or type in (select value from json_each(:types)))
and type not in (select value from json_each(:but_types))
order by created_at desc, id desc
limit :limit

-- newest_of_kind_in_project --
select * from memories
where project = :project and kind = :kind and retired_at is null
and (:types is null or type in (select value from json_each(:types)))
and type not in (select value from json_each(:but_types))
order by created_at desc, id desc
limit :limit

-- session_memories --
-- A session's memories within a window that excludes its bounds, in order of time.
select * from memories
where session_id = :session_id
and (:before is null or created_at < :before)
and (:after is null or created_at > :after)
order by created_at, id

-- neighbours_before --
select * from memories
where session_id = :session_id and id < :id and kind <> 'thought'
order by id desc limit :limit

-- neighbours_after --
select * from memories
where session_id = :session_id and id > :id and kind <> 'thought'
order by id limit :limit

-- action_types --
-- Each type of action that the store holds: a skip-scan, so a large store answers at once.
with recursive kinds (type) as (
    select min(type) from memories where is_action = 1
    union all
    select (select min(m.type) from memories m where m.is_action = 1 and m.type > kinds.type)
    from kinds where kinds.type is not null
)
select type from kinds where type is not null

-- newest_actions_of_project --
-- The newest actions of one type in a project.
select id, type, project, file_path, created_at from memories
where is_action = 1 and type = :type and project = :project
order by created_at desc, id desc
limit :limit offset :offset

-- newest_actions_elsewhere --
-- The same for every project but one; with null, for all projects. Skips from project to project
-- and takes the newest of each, so the cost grows with the projects and not with the memories.
with recursive projects (name) as (
    select min(project) from memories where is_action = 1 and type = :type
    union all
    select (
        select min(m.project) from memories m
        where m.is_action = 1 and m.type = :type and m.project > projects.name
    )
    from projects where projects.name is not null
)
select m.id, m.type, m.project, m.file_path, m.created_at
from projects join memories m on m.id in (
    select a.id from memories a
    where a.is_action = 1 and a.type = :type and a.project = projects.name
    order by a.created_at desc, a.id desc
    limit :limit + :offset
)
where projects.name is not :project
order by m.created_at desc, m.id desc
limit :limit offset :offset

-- intents --
-- The newest prompts of a project that were followed by an action, with how many.
select p.text, p.created_at,
    (select count(*) from memories a where a.prompt_id = p.id and a.kind = 'observation') as actions
from memories p
where p.project = :project and p.kind = 'prompt' and p.retired_at is null
and exists (select 1 from memories a where a.prompt_id = p.id and a.kind = 'observation')
order by p.created_at desc, p.id desc
limit :limit

-- file_touches --
-- What happened to a file, newest first, with the prompt that led to it. `+` keeps the planner from
-- the index of kinds, which would look at most of the store.
select m.*, p.text as prompt_text
from memories m left join memories p on p.id = m.prompt_id and p.kind = 'prompt'
where m.file_path = :path and +m.kind = 'observation' and m.retired_at is null
and (:before is null or m.created_at < :before)
and (:after is null or m.created_at > :after)
order by m.created_at desc, m.id desc
limit :limit

-- set_pinned --
update memories set is_pinned = :is_pinned where id = :id and kind <> 'thought'

-- keep_history --
-- What a memory says now, before it is changed.
insert into history (memory_id, changed_at, title, text, detail, reason)
select id, :at, title, text, detail, :reason from memories where id = :id

-- history_of --
select changed_at, text, reason, title from history where memory_id = :id order by id

-- former_texts --
select id, concat_ws(char(10), title, text, detail, reason) as text from history
where id > :after order by id limit :limit

-- forget_former --
delete from history where id in (select value from json_each(:ids))

-- reasons --
select memory_id as id, reason as text from facts
where memory_id > :after and reason is not null order by memory_id limit :limit

-- forget_reasons --
update facts set reason = null where memory_id in (select value from json_each(:ids))

-- retag --
-- No row when it has these tags already.
update memories set tags = :tags where id = :id and tags is not :tags

-- touch_memory --
update memories set updated_at = :at where id = :id

-- reword --
update memories
set title = :title, text = :text, detail = :detail, origin = :origin, updated_at = :at
where id = :id

-- wanted_memories --
-- What a filter means: every condition that is given must hold.
select id, kind, session_id, event_id from memories
where (:project is null or project = :project)
and (:type is null or type = :type)
and (:session_id is null or session_id = :session_id)
and (:id is null or id = :id)
and (:before is null or created_at < :before)
and (:older_than is null or created_at <= :older_than)
and (:match is null or id in (select rowid from words where words match :match))
order by id

-- sweepable_memories --
-- Unpinned, older than its type's cutoff, and in a session that nobody needs whole any more:
-- it has a summary, or it ended without anything to summarise.
select m.id, m.kind, m.session_id, m.event_id from memories m
join json_each(:cutoffs) c on c.key = m.type
where m.created_at < c.value and m.is_pinned = 0
and m.session_id in (
    select session_id from memories where type = 'session_summary' and session_id is not null
    union all
    select s.id from sessions s where s.ended_at is not null and not exists (
        select 1 from memories a where a.session_id = s.id and a.kind = 'observation'
    )
)
order by m.id

-- delete_memories --
delete from memories where id in (select value from json_each(:ids))

-- delete_events --
delete from events where id in (select value from json_each(:ids))

-- delete_wanted_events --
-- Events that a filter by time, session or project means, whether or not they left a memory.
delete from events
where (:project is null or project = :project)
and (:session_id is null or session_id = :session_id)
and (:before is null or at < :before)
and (:older_than is null or at <= :older_than)

-- documents --
-- Events with their documents, to be looked through for words.
select id, document from events where id > :after and document <> '' order by id limit :limit

-- blank_events --
-- The documents go; the keys stay, so that a late copy of the event is still dropped.
update events set document = '' where id in (select value from json_each(:ids))
