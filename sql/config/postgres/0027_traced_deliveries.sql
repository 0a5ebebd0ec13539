-- The trace of the call event that a delivery tells of, so that later attempts are part of it; null where nothing is traced.
ALTER TABLE pending_deliveries ADD COLUMN traceparent TEXT;
