-- Ids of the updates from outside that a call has taken, so that one which is told again to a call of long ago is known.
ALTER TABLE calls ADD COLUMN updates JSON;
