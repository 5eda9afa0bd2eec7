-- name_memory --
-- The published id of a memory that has none yet.
update memories set public_id = :public_id where id = :id

-- add_frame --
-- A live frame that may not repeat and has the same content makes this fail: look for it first.
insert into frames (
    memory_id, project, at, reference_point, summary_caption, branch, jira, next_action, blockers,
    merge_blockers, tests_failing, module_scope, keywords, atlas_frame_id, feature_flags,
    permissions, run_id, plan_hash, spend, user_id, content_hash, is_once
)
select m.id, m.project, :at, :reference_point, :summary_caption, :branch, :jira, :next_action,
    :blockers, :merge_blockers, :tests_failing, :module_scope, :keywords, :atlas_frame_id,
    :feature_flags, :permissions, :run_id, :plan_hash, :spend, :user_id, :content_hash, :is_once
from memories m where m.id = :memory_id

-- add_frame_modules --
insert or ignore into frame_modules (module, memory_id)
select value, :memory_id from json_each(:modules)

-- add_frame_image --
insert into frame_images (memory_id, number, mime_type, size, data)
values (:memory_id, :number, :mime_type, :size, :data)

-- add_frame_words --
insert into frame_words (rowid, reference_point, summary_caption, keywords)
values (:id, :reference_point, :summary_caption, :keywords)

-- replace_frame_words --
insert or replace into frame_words (rowid, reference_point, summary_caption, keywords)
values (:id, :reference_point, :summary_caption, :keywords)

-- delete_frame_words --
delete from frame_words where rowid in (select value from json_each(:ids))

-- clear_frame_words --
insert into frame_words (frame_words) values ('delete-all')

-- fold_frame_words --
-- As `fold_words`.
insert into frame_words (frame_words) values ('optimize')

-- outdate_frame --
-- As its memory is retired.
update frames set is_live = 0 where memory_id = :id

-- relive_frame --
-- As its memory is restored. One that came again meanwhile stands beside it.
update frames
set is_live = 1, is_once = is_once and not exists (
    select 1 from frames o
    where o.is_live = 1 and o.is_once = 1 and o.content_hash = frames.content_hash
)
where memory_id = :id

-- recaption_frame --
update frames set summary_caption = :caption where memory_id = :id

-- frame_by_id --
select m.id from memories m where m.public_id = :public_id
and exists (select 1 from frames f where f.memory_id = m.id)

-- frame_with_content --
select m.public_id from frames f join memories m on m.id = f.memory_id
where f.content_hash = :content_hash and f.is_live = 1
order by f.memory_id limit 1

-- frames_by_memory --
select f.*, m.public_id from json_each(:ids) i
join frames f on f.memory_id = i.value
join memories m on m.id = f.memory_id
order by i.key

-- text_of_memory --
select text from memories where id = :id

-- frames_after --
select f.*, m.public_id, m.text from frames f join memories m on m.id = f.memory_id
where f.memory_id > :after order by f.memory_id limit :limit

-- images_of_frames --
-- Without their bytes.
select memory_id, number, mime_type, size from frame_images
where memory_id in (select value from json_each(:ids))
order by memory_id, number

-- image_of_frame --
select mime_type, data from frame_images where memory_id = :memory_id and number = :number

-- piece: of_module --
and (:module is null or exists (
    select 1 from frame_modules o where o.module = :module and o.memory_id = f.memory_id
))

-- piece: newest_first --
and (:since is null or f.at >= :since)
and (:projects is null or f.project in (select value from json_each(:projects)))
order by f.at desc, f.memory_id desc
limit :limit offset :offset

-- search_frames --
-- Best match first, then newest. A limit of -1 is none. Of its own accord SQLite would read every
-- matching frame whole.
select f.memory_id
from frame_words w cross join frames f indexed by frames_brief on f.memory_id = w.rowid
where frame_words match :match and f.is_live = 1
and (:projects is null or f.project in (select value from json_each(:projects)))
and (:branch is null or f.branch = :branch)
and (:jira is null or f.jira = :jira)
and (:since is null or f.at >= :since)
{of_module}
order by bm25(frame_words, 4.0, 1.0, 2.0), f.at desc, f.memory_id desc
limit :limit

-- newest_frames --
select f.memory_id from frames f
where f.is_live = 1
and (:since is null or f.at >= :since)
order by f.at desc, f.memory_id desc
limit :limit offset :offset

-- newest_frames_of_projects --
-- The newest of each, `:most` being limit and offset together: an index has them in order.
select f.memory_id from json_each(:projects) p join frames f on f.memory_id in (
    select g.memory_id from frames g
    where g.is_live = 1 and g.project = p.value
    and (:since is null or g.at >= :since)
    order by g.at desc, g.memory_id desc
    limit :most
)
order by f.at desc, f.memory_id desc
limit :limit offset :offset

-- newest_frames_of_branch --
select f.memory_id from frames f
where f.is_live = 1 and f.branch = :branch
{of_module}
{newest_first}

-- newest_frames_of_ticket --
select f.memory_id from frames f
where f.is_live = 1 and f.jira = :jira
and (:branch is null or f.branch = :branch)
{of_module}
{newest_first}

-- newest_frames_of_module --
select f.memory_id from frame_modules o cross join frames f on f.memory_id = o.memory_id
where o.module = :module and f.is_live = 1
{newest_first}

-- count_frames --
select count(*) as n from frames f
where f.is_live = 1
and (:branch is null or f.branch = :branch)
and (:jira is null or f.jira = :jira)
{of_module}
and (:since is null or f.at >= :since)
and (:projects is null or f.project in (select value from json_each(:projects)))

-- frame_words_without_frame --
-- Rows of the index whose frame is gone, and the other way round.
select
    (select count(*) from frame_words_docsize d
        where not exists (select 1 from frames f where f.memory_id = d.id)),
    (select count(*) from frames f
        where not exists (select 1 from frame_words_docsize d where d.id = f.memory_id))
