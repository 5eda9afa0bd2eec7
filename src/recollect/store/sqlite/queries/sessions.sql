-- find_session --
-- The session with this id, if there is one.
select s.*, n.number from sessions s join session_numbers n on n.session_id = s.id
where s.id = :id

-- begin_session --
-- A new session; nothing changes when it is there already.
insert into sessions (id, project, platform, started_at, ended_at, prompt_id, is_private_turn)
values (:id, :project, :platform, :started_at, null, null, 0)
on conflict (id) do nothing

-- number_session --
insert into session_numbers (session_id) values (:id) on conflict (session_id) do nothing

-- session_by_number --
select s.*, n.number from sessions s join session_numbers n on n.session_id = s.id
where n.number = :number

-- open_sessions --
select count(*) from sessions where ended_at is null

-- begin_turn --
-- The newest prompt of a session; the session is active again.
update sessions
set prompt_id = coalesce(:prompt_id, prompt_id), is_private_turn = :is_private, ended_at = null,
    prompts = prompts + 1
where id = :id

-- close_session --
-- Ends a session once, and takes its signature anew.
update sessions
set ended_at = coalesce(ended_at, :ended_at),
    signature = (
        select json_group_array(json_array(type, n)) from (
            select type, count(*) as n from memories
            where session_id = :id and kind = 'observation'
            group by type order by n desc, type
        )
    )
where id = :id

-- newest_session_of_project --
select s.*, n.number from sessions s join session_numbers n on n.session_id = s.id
where s.project = :project
order by s.started_at desc, n.number desc limit 1

-- session_ids --
select id from sessions order by started_at, rowid

-- newest_session --
select s.*, n.number from sessions s join session_numbers n on n.session_id = s.id
order by s.started_at desc, n.number desc limit 1

-- delete_empty_sessions --
-- Sessions among the given that hold nothing any more; their transcripts' positions go as well.
delete from sessions
where id in (select value from json_each(:ids))
and not exists (select 1 from memories where memories.session_id = sessions.id)

-- count_sessions_left_empty --
-- How many of the given sessions would hold nothing without the given memories.
select count(*) from sessions
where id in (select value from json_each(:sessions))
and not exists (
    select 1 from memories
    where memories.session_id = sessions.id
    and memories.id not in (select value from json_each(:ids))
)

-- delete_orphaned_transcripts --
delete from transcripts
where not exists (select 1 from sessions where sessions.id = transcripts.session_id)

-- delete_orphaned_events --
delete from events
where session_id in (select value from json_each(:ids))
and not exists (select 1 from sessions where sessions.id = events.session_id)

-- transcript_position --
select position from transcripts where session_id = :session_id and path = :path

-- move_transcript_position --
insert into transcripts (session_id, path, position) values (:session_id, :path, :position)
on conflict (session_id, path) do update set position = excluded.position

-- session_numbers --
select session_id, number from session_numbers
where session_id in (select value from json_each(:ids))
