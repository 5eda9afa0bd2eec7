-- What few memories are is found by an index, and so all others are counted by one.
create index memories_retired on memories (kind, created_at, project)
    where retired_at is not null;
create index memories_pinned on memories (created_at) where is_pinned = 1;
