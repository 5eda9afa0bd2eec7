-- What ranking by words keeps: immutable segments, and how far they go.
create table lexicon (
    id integer not null primary key check (id = 1),
    version integer not null,
    generation integer not null,
    through integer not null
) strict;

insert into lexicon (id, version, generation, through) values (1, 0, 0, 0);

create table segments (
    id integer not null primary key autoincrement,
    size integer not null,
    lowest integer not null,
    highest integer not null,
    ids blob not null,
    columns blob not null,
    names text not null,
    dead blob not null,
    scrubbed integer not null
) strict;

create table postings (
    segment_id integer not null references segments (id) on delete cascade,
    term text not null,
    places blob not null,
    counts blob,
    primary key (segment_id, term)
) strict, without rowid;
