-- Tokens of a language model that an organization's questions took, by day in UTC; the cost by the prices of that day.
CREATE TABLE assistant_usage (
  org_id TEXT NOT NULL,
  day TEXT NOT NULL,
  model TEXT NOT NULL,
  questions BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  cost_usd REAL,
  PRIMARY KEY (org_id, day, model)
);
