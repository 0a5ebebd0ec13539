-- Redeliveries are listed by organization, the newest first.
CREATE INDEX webhook_redeliveries_of_org ON webhook_redeliveries (org_id, created_at, id);
