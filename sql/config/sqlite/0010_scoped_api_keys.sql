-- What a key may do and from where, as JSON arrays: scopes such as config:read, and address ranges. NULL: without limits.
ALTER TABLE api_keys ADD COLUMN scopes TEXT;
ALTER TABLE api_keys ADD COLUMN allow_from TEXT;
