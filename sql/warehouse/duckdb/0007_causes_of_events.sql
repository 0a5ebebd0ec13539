-- Who outside has caused an update of a call, and why, for its timeline. Empty for all other events, and for older ones.
ALTER TABLE call_events ADD COLUMN cause JSON;
