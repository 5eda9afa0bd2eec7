-- counts --
select
    (select count(*) from memories) as memories,
    (select count(*) from memories where is_pinned = 1) as pinned,
    (select count(*) from memories where kind = 'prompt') as prompts,
    (select count(*) from sessions) as sessions,
    (select count(*) from events) as events,
    (select count(*) from words_docsize) as words

-- counts_by_type --
-- Observations as nmem counts them: everything but prompts and thoughts; most frequent first.
select type, count(*) as n from memories where kind not in ('prompt', 'thought')
group by type order by n desc, type

-- words_without_memory --
-- Rows of the index whose memory is gone, and the other way round.
select
    (select count(*) from words_docsize d where not exists (select 1 from memories m where m.id = d.id)),
    (select count(*) from memories m where not exists (select 1 from words_docsize d where d.id = m.id))
