-- Ids of the campaigns that named the webhook by which the data came, as JSON: their calls alone take it. NULL: any call.
ALTER TABLE caller_data ADD COLUMN campaign_ids VARCHAR;
