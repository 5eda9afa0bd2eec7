-- How far vectors were brought to a vector server, so that a restart goes on where it was.
create table outposts (
    place text not null primary key,
    identity text not null,
    model text not null,
    change_seq integer not null,
    vector_seq integer not null
) strict;
