-- Why a memory was changed stands beside what it said before.
alter table history add column reason text;
