-- How far the making of vectors has got, so that nobody looks through all memories to find none.
create table embedding_marks (
    model_id integer not null references models (id) on delete cascade,
    view text not null,
    change_seq integer not null,
    backlog_id integer,
    primary key (model_id, view)
) strict;
