-- Calls that wait for something are found without reading the others, of which there are those that ended within the hour:
-- calls whose messages are to be published, those that nobody routes, and a caller's call that has just come in.
CREATE INDEX open_calls_unpublished ON open_calls (updated_at, call_id) WHERE untold IS NOT NULL;
CREATE INDEX open_calls_routing ON open_calls (updated_at, call_id) WHERE (doc->>'state') = 'routing';
CREATE INDEX open_calls_caller ON open_calls (org_id, (doc->>'caller'), updated_at);
