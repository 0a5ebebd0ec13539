-- Deliveries are claimed endpoint by endpoint: the endpoints are found, and the first that are due at each, without reading
-- all that wait. An address whose origin is longer than any host's name is invalid, and those are all one endpoint.
UPDATE pending_deliveries SET endpoint = '' WHERE length(endpoint) > 300;
CREATE INDEX pending_deliveries_endpoint ON pending_deliveries (org_id, endpoint, due_at, version, id) WHERE NOT held;
DROP INDEX pending_deliveries_due;
