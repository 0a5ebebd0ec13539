-- What an organization's approved questions are, as they were asked, and which users found their answers right: both NULL
-- for those approved before this.
ALTER TABLE approved_questions ADD COLUMN question TEXT COLLATE "C";
ALTER TABLE approved_questions ADD COLUMN approved_by TEXT COLLATE "C";
