-- Where a session was last asked in, 'page' or 'api': NULL for those from before this, of which nobody knows.
ALTER TABLE assistant_sessions ADD COLUMN origin VARCHAR;
