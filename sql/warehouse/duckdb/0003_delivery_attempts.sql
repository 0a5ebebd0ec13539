-- What is known of each attempt beside the specification's fields. Rows that are older than a column have it empty.

-- What all attempts of one delivery share, redeliveries too.
ALTER TABLE outgoing_webhook_requests ADD COLUMN delivery_id VARCHAR;
-- `automatic`, or `manual`: somebody asked for it.
ALTER TABLE outgoing_webhook_requests ADD COLUMN "trigger" VARCHAR;
ALTER TABLE outgoing_webhook_requests ADD COLUMN error_class VARCHAR;
ALTER TABLE outgoing_webhook_requests ADD COLUMN remote_address VARCHAR;
-- Of the connection, where the attempt made one; and from the start to the first byte of the answer.
ALTER TABLE outgoing_webhook_requests ADD COLUMN dns_ms INTEGER;
ALTER TABLE outgoing_webhook_requests ADD COLUMN connect_ms INTEGER;
ALTER TABLE outgoing_webhook_requests ADD COLUMN first_byte_ms INTEGER;
