-- The schema of today. How older stores get here: migrations/. Times are milliseconds since 1970, UTC.
-- No triggers and no generated columns: whatever must hold is done by a statement with a name.

create table sessions (
    id text not null primary key,
    project text not null,
    platform text not null,
    started_at integer not null,
    ended_at integer,
    prompt_id integer references memories (id) on delete set null, -- the newest of the user
    is_private_turn integer not null default 0, -- until the next public prompt
    signature text                              -- JSON: [[type, count], ...], most frequent first
) strict;

create index sessions_by_project on sessions (project, started_at);
create index sessions_by_prompt on sessions (prompt_id) where prompt_id is not null;

-- What the hooks saw, cleaned, so that a better reader can read it again.
create table events (
    id integer not null primary key autoincrement,
    key text not null unique,                   -- the same for every copy of one host event
    session_id text not null,
    project text not null,
    kind text not null,
    at integer not null,
    document text not null                      -- JSON as capture.scrub wrote it
) strict;

create index events_by_session on events (session_id);

create table memories (
    id integer not null primary key autoincrement, -- never used again, so that #42 stays #42
    public_id text unique,                      -- mem_..., frame-...
    kind text not null,
    type text not null,
    project text not null,
    session_id text references sessions (id) on delete cascade,
    prompt_id integer references memories (id) on delete set null,
    event_id integer,
    source_event text not null,
    tool_name text,
    file_path text,
    title text,
    text text not null,
    detail text,                                -- JSON
    origin text not null,
    is_action integer not null,                 -- what recent context may show; 0 when retired
    is_pinned integer not null default 0,
    created_at integer not null,
    updated_at integer not null,
    retired_at integer,
    superseded_by integer references memories (id) on delete set null
) strict;

create index memories_by_session on memories (session_id, id);
create index memories_by_sort on memories (session_id, type, created_at);
create index memories_by_prompt on memories (prompt_id) where prompt_id is not null;
create index memories_by_successor on memories (superseded_by) where superseded_by is not null;
create index memories_by_file on memories (file_path, created_at) where file_path is not null;
create index prompts_by_project on memories (project, created_at) where kind = 'prompt';

-- Candidates of recent context, newest first for each type and project; the index alone answers.
create index actions_by_type on memories (type, project, created_at, id, file_path)
    where is_action = 1;

-- What a memory said before it was changed.
create table history (
    id integer not null primary key autoincrement,
    memory_id integer not null references memories (id) on delete cascade,
    changed_at integer not null,
    title text,
    text text not null,
    detail text
) strict;

create index history_by_memory on history (memory_id);

-- The words of every memory; rowid = memories.id. Derived: doctor --rebuild makes it again.
create virtual table words using fts5 (
    text, content='', contentless_delete=1, tokenize='porter unicode61'
);

-- How far a transcript has been read.
create table transcripts (
    session_id text not null,
    path text not null,
    position integer not null,
    primary key (session_id, path)
) strict;

create table migrations (
    version integer not null primary key,
    name text not null,
    applied_at integer not null
) strict;
