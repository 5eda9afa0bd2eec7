-- Snapshots of work, beside the memories of them, with their modules, their images and their words.
create table frames (
    memory_id integer not null primary key references memories (id) on delete cascade,
    project text not null,
    at integer not null,
    is_live integer not null default 1,
    reference_point text not null,
    summary_caption text not null,
    branch text not null,
    jira text,
    next_action text not null,
    blockers text,
    merge_blockers text,
    tests_failing text,
    module_scope text not null,
    keywords text,
    atlas_frame_id text,
    feature_flags text,
    permissions text,
    run_id text,
    plan_hash text,
    spend text,
    user_id text,
    content_hash text not null,
    is_once integer not null
) strict;

create unique index frames_once on frames (content_hash) where is_live = 1 and is_once = 1;
create index frames_by_content on frames (content_hash);
create index frames_by_time on frames (at, memory_id) where is_live = 1;
create index frames_by_project on frames (project, at, memory_id) where is_live = 1;
create index frames_by_branch on frames (branch, at, memory_id) where is_live = 1;
create index frames_by_ticket on frames (jira, at, memory_id) where is_live = 1;
create index frames_brief on frames (memory_id, at, project, branch, jira) where is_live = 1;

create table frame_modules (
    module text not null,
    memory_id integer not null references frames (memory_id) on delete cascade,
    primary key (module, memory_id)
) strict, without rowid;

create index frame_modules_by_frame on frame_modules (memory_id);

create table frame_images (
    memory_id integer not null references frames (memory_id) on delete cascade,
    number integer not null,
    mime_type text not null,
    size integer not null,
    data blob not null,
    primary key (memory_id, number)
) strict;

create virtual table frame_words using fts5 (
    reference_point, summary_caption, keywords,
    content='', contentless_delete=1, tokenize='unicode61'
);
