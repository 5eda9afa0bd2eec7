-- What search by meaning, facts about people and bulk import keep.
alter table memories add column speaker text;
alter table memories add column tags text;
alter table memories add column concepts text;
alter table memories add column files text;

create table changes (
    seq integer not null primary key autoincrement,
    memory_id integer not null
) strict;

create table models (
    id integer not null primary key,
    name text not null unique,
    dimension integer not null
) strict;

create table vectors (
    seq integer not null primary key autoincrement,
    model_id integer not null references models (id) on delete cascade,
    view text not null,
    memory_id integer not null references memories (id) on delete cascade,
    vector blob not null,
    unique (memory_id, model_id, view)
) strict;

create table facts (
    memory_id integer not null primary key references memories (id) on delete cascade,
    public_id text not null unique,
    subject text not null,
    subject_key text not null,
    category text not null,
    confidence real not null,
    content_key text,
    is_live integer not null default 1,
    reason text
) strict;

create unique index facts_once on facts (content_key, subject_key, category)
    where is_live = 1 and content_key is not null;
create index facts_by_subject on facts (subject_key, category) where is_live = 1;

-- Remarks that were made before have an id in Memento's language as well.
insert into facts (memory_id, public_id, subject, subject_key, category, confidence)
select id, 'mem_' || lower(hex(randomblob(6))), project, lower(project), 'context', 1.0
from memories where kind = 'note';

create table answers (
    id text not null primary key,
    asked_at integer not null,
    question text not null,
    answer text not null
) strict;

create index answers_by_time on answers (asked_at);

create table imports (
    key text not null primary key,
    memory_id integer not null references memories (id) on delete cascade
) strict;

create index imports_by_memory on imports (memory_id);

create table self (
    id text not null
) strict;

insert into self (id) values (lower(hex(randomblob(6))));

insert into changes (memory_id) select id from memories order by id;

drop index prompts_by_project;
create index memories_by_project on memories (project, kind, created_at);
create index memories_by_kind on memories (kind, created_at);
