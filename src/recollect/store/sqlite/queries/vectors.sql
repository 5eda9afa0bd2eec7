-- delete_vectors --
-- The text has changed: what its old words meant is no longer true.
delete from vectors where memory_id = :id
