-- lexicon_state --
-- One statement, for it is asked before every search.
select version, generation, through,
    coalesce((select seq from sqlite_sequence where name = 'changes'), 0) as newest
from lexicon

-- set_lexicon_state --
update lexicon set version = :version, generation = generation + 1, through = :through

-- touch_lexicon --
update lexicon set generation = generation + 1

-- changed_since --
select seq, memory_id from changes where seq > :after order by seq limit :limit

-- changed_among --
-- Whether one of these memories changed since.
select 1 from changes where seq > :after and memory_id in (select value from json_each(:ids)) limit 1

-- forget_changes --
delete from changes where seq <= :through

-- change_everything --
-- So that all that is searchable enters the index again.
insert into changes (memory_id)
select id from memories where kind not in ('thought', 'lifecycle') and retired_at is null order by id

-- passages --
-- What of these memories is searched, with what ranking must know; nothing of what is not searched.
select m.id, m.kind, m.type, m.project, m.session_id, m.created_at, m.speaker, m.title,
    substr(m.text, 1, :most) as text, m.file_path, m.tags, m.concepts, m.files,
    coalesce(p.narrative || char(10) || p.facts || char(10) || p.concepts,
        r.learned || char(10) || r.investigated || char(10) || r.completed || char(10)
        || r.next_steps || char(10) || coalesce(r.notes, '')) as portrait
from memories m
left join portraits p on p.memory_id = m.id
left join recaps r on r.memory_id = m.id
where m.id in (select value from json_each(:ids))
and m.kind not in ('thought', 'lifecycle') and m.retired_at is null
order by m.id

-- searchable_ids --
select id from memories where kind not in ('thought', 'lifecycle') and retired_at is null order by id

-- segment_heads --
select id, size, lowest, highest, length(dead) / 2 as dead, scrubbed from segments order by id

-- segments_by_id --
select id, size, lowest, highest, ids, columns, names, dead from segments
where id in (select value from json_each(:ids))
order by id

-- postings_of_terms --
select p.segment_id, p.term, p.places, p.counts
from json_each(:segments) s cross join json_each(:terms) t
cross join postings p on p.segment_id = s.value and p.term = t.value

-- postings_of_segment --
select term, places, counts from postings where segment_id = :segment order by term

-- add_segment --
insert into segments (size, lowest, highest, ids, columns, names, dead, scrubbed)
values (:size, :lowest, :highest, :ids, :columns, :names, x'', 0)
returning id

-- add_postings --
insert into postings (segment_id, term, places, counts) values (:segment, :term, :places, :counts)

-- delete_postings_of_segment --
delete from postings where segment_id = :segment

-- delete_segment --
delete from segments where id = :segment

-- delete_postings --
delete from postings where segment_id = :segment and term = :term

-- replace_postings --
update postings set places = :places, counts = :counts where segment_id = :segment and term = :term

-- set_dead --
update segments set dead = :dead where id = :segment

-- set_scrubbed --
update segments set columns = :columns, names = :names, scrubbed = length(dead) / 2
where id = :segment
