-- outdate_fact --
-- A memory that is retired is no live fact either; an identical one may come again.
update facts set is_live = 0 where memory_id = :id
