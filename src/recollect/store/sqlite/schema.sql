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
    signature text,                             -- JSON: [[type, count], ...], most frequent first
    prompts integer not null default 0          -- so far, private ones among them
) strict;

create index sessions_by_project on sessions (project, started_at);
create index sessions_by_prompt on sessions (prompt_id) where prompt_id is not null;

-- Sessions by number, for dialects that publish one; never used again.
create table session_numbers (
    number integer not null primary key autoincrement,
    session_id text not null unique references sessions (id) on delete cascade
) strict;

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
    superseded_by integer references memories (id) on delete set null, -- retired in favour of this one
    speaker text,                               -- whose words they are, where several people talk
    tags text,                                  -- JSON arrays of texts, as the two below
    concepts text,
    files text,
    prompt_number integer                       -- of a prompt, or of the one it was done for
) strict;

create index memories_by_session on memories (session_id, id);
create index memories_by_sort on memories (session_id, type, created_at);
create index memories_by_prompt on memories (prompt_id) where prompt_id is not null;
create index memories_by_successor on memories (superseded_by) where superseded_by is not null;
create index memories_by_event on memories (event_id) where event_id is not null;
create index memories_by_file on memories (file_path, created_at) where file_path is not null;
create index memories_by_project on memories (project, kind, created_at);
create index memories_by_kind on memories (kind, created_at);

-- Of these there are few: found at once, and all others counted by what is left.
create index memories_retired on memories (kind, created_at, project)
    where retired_at is not null;
create index memories_pinned on memories (created_at) where is_pinned = 1;

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
    detail text,
    reason text                                 -- why it was changed
) strict;

create index history_by_memory on history (memory_id);

-- What a memory of a tool use looks like to people. Made from its event, by rules or by a model.
create table portraits (
    memory_id integer not null primary key references memories (id) on delete cascade,
    type text not null,                         -- discovery, change, execution, decision, bugfix
    title text not null,
    subtitle text,
    facts text not null,                        -- JSON arrays of texts, as the three below
    narrative text not null,
    concepts text not null,
    files_read text not null,
    files_modified text not null,
    made_by text not null                       -- rules, or the name of a model
) strict;

-- What a session, or a stretch of it, came to; beside the memory of it.
create table recaps (
    memory_id integer not null primary key references memories (id) on delete cascade,
    request text not null,
    investigated text not null,
    learned text not null,
    completed text not null,
    next_steps text not null,
    notes text,
    files_read text not null,                   -- JSON arrays of texts, as the next
    files_edited text not null,
    made_by text not null
) strict;

-- Work that accepted events still ask for: to be read, by rules at once or by a model later.
create table jobs (
    id integer not null primary key autoincrement,
    session_id text not null references sessions (id) on delete cascade,
    event_id integer not null unique references events (id) on delete cascade,
    task text not null,                         -- observation, summarize
    prompt_number integer not null,
    dedupe_key text,                            -- the same for what a door takes for a repetition
    state text not null,                        -- pending, processing, done, failed
    tries integer not null default 0,
    memory_id integer references memories (id) on delete set null, -- what rules have made of it
    created_at integer not null,
    due_at integer not null,
    claimed_at integer,
    finished_at integer,                        -- done, or failed for good
    model_ms integer,
    index_ms integer
) strict;

create unique index jobs_once on jobs (session_id, task, dedupe_key) where dedupe_key is not null;
create index jobs_open on jobs (state, session_id) where state <> 'done';
create index jobs_unread on jobs (id, due_at) where state = 'pending' and memory_id is null;
create index jobs_read on jobs (id, due_at) where state = 'pending' and memory_id is not null;
create index jobs_by_session on jobs (session_id, id);
create index jobs_by_end on jobs (finished_at) where finished_at is not null;

-- What went wrong with jobs, each try; the newest are kept.
create table failures (
    id integer not null primary key autoincrement,
    at integer not null,
    job_id integer not null,
    session_number integer not null,
    task text not null,
    error_class text not null,
    error text not null
) strict;

-- How searches went; the newest are kept.
create table traces (
    id integer not null primary key autoincrement,
    at integer not null,
    query text not null,
    project text,
    mode text not null,
    took_ms real not null,
    detail text not null                        -- JSON
) strict;

-- Counts that go on over restarts.
create table counters (
    name text not null primary key,
    value integer not null
) strict;

-- The words of every memory; rowid = memories.id. Derived: doctor --rebuild makes it again.
create virtual table words using fts5 (
    text, content='', contentless_delete=1, tokenize='porter unicode61'
);

-- Every memory that was added, reworded, retired or removed, in order: what keeps an index derived
-- from the memories follows this. Old entries go; who has missed some starts anew.
create table changes (
    seq integer not null primary key autoincrement,
    memory_id integer not null
) strict;

-- The ranking index, derived as well: how far it goes. One row.
create table lexicon (
    id integer not null primary key check (id = 1),
    version integer not null,                   -- of the terms; 0: there is none yet
    generation integer not null,                -- another one whenever segments are others
    through integer not null                    -- changes up to this one are in segments
) strict;

-- Memories that entered the ranking index together. What is written of them stays, but for what
-- dies; search.segment knows what the blobs mean.
create table segments (
    id integer not null primary key autoincrement,
    size integer not null,
    lowest integer not null,                    -- id of a memory
    highest integer not null,
    ids blob not null,
    columns blob not null,
    names text not null,                        -- JSON
    dead blob not null,                         -- places of what was changed since, or removed
    scrubbed integer not null                   -- how many of them have left no words behind
) strict;

-- Where a term is within a segment, and how often when that is more than once anywhere.
create table postings (
    segment_id integer not null references segments (id) on delete cascade,
    term text not null,
    places blob not null,
    counts blob,
    primary key (segment_id, term)
) strict, without rowid;

-- What made vectors. Those of one model can be compared with each other, and with no others.
create table models (
    id integer not null primary key,
    name text not null unique,
    dimension integer not null
) strict;

-- Meanings. A new vector for the same memory has a new seq, so that an index sees it.
create table vectors (
    seq integer not null primary key autoincrement,
    model_id integer not null references models (id) on delete cascade,
    view text not null,                         -- 'text', or 'matter': a fact without its subject
    memory_id integer not null references memories (id) on delete cascade,
    vector blob not null,                       -- little-endian half floats of length 1; empty
                                                -- when the model cannot read the text
    unique (memory_id, model_id, view)
) strict;

-- How far the making of vectors has got, so that nobody looks through all memories to find none.
create table embedding_marks (
    model_id integer not null references models (id) on delete cascade,
    view text not null,
    change_seq integer not null,                -- every change up to this was looked at
    backlog_id integer,                         -- and every memory up to this; null when all were
    primary key (model_id, view)
) strict;

-- How far vectors were brought to a vector server, so that a restart goes on where it was.
create table outposts (
    place text not null primary key,            -- its address and collection
    identity text not null,                     -- another one when the collection was made anew
    model text not null,                        -- by name
    change_seq integer not null,                -- every change up to this is done there
    vector_seq integer not null                 -- and every vector of the model up to this
) strict;

-- What is known of somebody or something: facts, and the notes and frames shown as such.
create table facts (
    memory_id integer not null primary key references memories (id) on delete cascade,
    public_id text not null unique,             -- mem_...
    subject text not null,                      -- as first written
    subject_key text not null,                  -- as it is compared
    category text not null,
    confidence real not null,
    content_key text,                           -- the same for identical facts; null for what may repeat
    is_live integer not null default 1,         -- 0 when outdated
    reason text                                 -- why it changed last
) strict;

create unique index facts_once on facts (content_key, subject_key, category)
    where is_live = 1 and content_key is not null;
create index facts_by_subject on facts (subject_key, category) where is_live = 1;

-- The ledger: what was answered to which question, with what was true then.
create table answers (
    id text not null primary key,
    asked_at integer not null,
    question text not null,                     -- JSON
    answer text not null                        -- JSON
) strict;

create index answers_by_time on answers (asked_at);

-- Which memory an imported line became.
create table imports (
    key text not null primary key,              -- the caller's own id
    memory_id integer not null references memories (id) on delete cascade
) strict;

create index imports_by_memory on imports (memory_id);

-- Who this store is, so that what it exported is known when it comes back.
create table self (
    id text not null
) strict;

-- How far a transcript has been read.
create table transcripts (
    session_id text not null,
    path text not null,
    position integer not null,
    primary key (session_id, path)
) strict;

-- Snapshots of work, beside the memories of them; their published ids are the memories' own.
create table frames (
    memory_id integer not null primary key references memories (id) on delete cascade,
    project text not null,                      -- as the memory's, and the next two, so that an
    at integer not null,                        -- index alone has them in order
    is_live integer not null default 1,         -- 0 when the memory is retired
    reference_point text not null,
    summary_caption text not null,
    branch text not null,
    jira text,
    next_action text not null,
    blockers text,                              -- JSON arrays of texts, as the next two
    merge_blockers text,
    tests_failing text,
    module_scope text not null,                 -- JSON array, in the order in which they were named
    keywords text,                              -- JSON arrays of texts, as those below
    atlas_frame_id text,
    feature_flags text,
    permissions text,
    run_id text,
    plan_hash text,
    spend text,                                 -- JSON
    user_id text,
    content_hash text not null,                 -- the same for frames that say the same at one time
    is_once integer not null                    -- 1: came through a door that refuses a repetition
) strict;

create unique index frames_once on frames (content_hash) where is_live = 1 and is_once = 1;
create index frames_by_content on frames (content_hash);
create index frames_by_time on frames (at, memory_id) where is_live = 1;
create index frames_by_project on frames (project, at, memory_id) where is_live = 1;
create index frames_by_branch on frames (branch, at, memory_id) where is_live = 1;
create index frames_by_ticket on frames (jira, at, memory_id) where is_live = 1;

-- All that recall asks of a match, without reading frames whole.
create index frames_brief on frames (memory_id, at, project, branch, jira) where is_live = 1;

-- Which frames touch a module, each module once.
create table frame_modules (
    module text not null,
    memory_id integer not null references frames (memory_id) on delete cascade,
    primary key (module, memory_id)
) strict, without rowid;

create index frame_modules_by_frame on frame_modules (memory_id);

-- What was attached to frames, byte for byte.
create table frame_images (
    memory_id integer not null references frames (memory_id) on delete cascade,
    number integer not null,                    -- from 1
    mime_type text not null,
    size integer not null,                      -- bytes
    data blob not null,
    primary key (memory_id, number)
) strict;

-- What recall looks at; rowid = frames.memory_id. Beginnings of words are asked for, so they are not
-- stemmed. Derived, as `words`, where all that a frame says is.
create virtual table frame_words using fts5 (
    reference_point, summary_caption, keywords,
    content='', contentless_delete=1, tokenize='unicode61'
);

create table migrations (
    version integer not null primary key,
    name text not null,
    applied_at integer not null
) strict;
