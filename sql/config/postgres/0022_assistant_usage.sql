-- Tokens of a language model that an organization's questions took, by day in UTC; the cost by the prices of that day.
CREATE TABLE assistant_usage (
  org_id TEXT COLLATE "C" NOT NULL,
  day TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  questions BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  cost_usd DOUBLE PRECISION,
  PRIMARY KEY (org_id, day, model)
);
