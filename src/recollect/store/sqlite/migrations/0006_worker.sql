-- What a worker needs that is told what happened over HTTP, and reads it with or without a model.
create table session_numbers (
    number integer not null primary key autoincrement,
    session_id text not null unique references sessions (id) on delete cascade
) strict;

insert into session_numbers (session_id) select id from sessions order by started_at, rowid;

alter table sessions add column prompts integer not null default 0;
alter table memories add column prompt_number integer;

update memories set prompt_number = (
    select count(*) from memories p
    where p.session_id = memories.session_id and p.kind = 'prompt' and p.id <= memories.id
) where kind = 'prompt';
update memories set prompt_number = (
    select p.prompt_number from memories p where p.id = memories.prompt_id
) where prompt_id is not null and prompt_number is null;
update sessions set prompts = (
    select count(*) from memories where session_id = sessions.id and kind = 'prompt'
);

create index memories_by_event on memories (event_id) where event_id is not null;

create table portraits (
    memory_id integer not null primary key references memories (id) on delete cascade,
    type text not null,
    title text not null,
    subtitle text,
    facts text not null,
    narrative text not null,
    concepts text not null,
    files_read text not null,
    files_modified text not null,
    made_by text not null
) strict;

create table recaps (
    memory_id integer not null primary key references memories (id) on delete cascade,
    request text not null,
    investigated text not null,
    learned text not null,
    completed text not null,
    next_steps text not null,
    notes text,
    files_read text not null,
    files_edited text not null,
    made_by text not null
) strict;

create table jobs (
    id integer not null primary key autoincrement,
    session_id text not null references sessions (id) on delete cascade,
    event_id integer not null unique references events (id) on delete cascade,
    task text not null,
    prompt_number integer not null,
    dedupe_key text,
    state text not null,
    tries integer not null default 0,
    memory_id integer references memories (id) on delete set null,
    created_at integer not null,
    due_at integer not null,
    claimed_at integer,
    finished_at integer,
    model_ms integer,
    index_ms integer
) strict;

create unique index jobs_once on jobs (session_id, task, dedupe_key) where dedupe_key is not null;
create index jobs_open on jobs (state, session_id) where state <> 'done';
create index jobs_unread on jobs (id, due_at) where state = 'pending' and memory_id is null;
create index jobs_read on jobs (id, due_at) where state = 'pending' and memory_id is not null;
create index jobs_by_session on jobs (session_id, id);
create index jobs_by_end on jobs (finished_at) where finished_at is not null;

create table failures (
    id integer not null primary key autoincrement,
    at integer not null,
    job_id integer not null,
    session_number integer not null,
    task text not null,
    error_class text not null,
    error text not null
) strict;

create table traces (
    id integer not null primary key autoincrement,
    at integer not null,
    query text not null,
    project text,
    mode text not null,
    took_ms real not null,
    detail text not null
) strict;

create table counters (
    name text not null primary key,
    value integer not null
) strict;
