-- What analysts have asked the assistant: a session belongs to one user of one organization.
CREATE TABLE assistant_sessions (
  id VARCHAR PRIMARY KEY,
  org_id VARCHAR NOT NULL,
  user_id VARCHAR NOT NULL,
  title VARCHAR NOT NULL,
  created_at VARCHAR NOT NULL,
  updated_at VARCHAR NOT NULL
);

-- A question with its answer. `follows`: it was read together with the plan before it.
CREATE TABLE assistant_messages (
  id VARCHAR PRIMARY KEY,
  session_id VARCHAR NOT NULL,
  org_id VARCHAR NOT NULL,
  user_id VARCHAR NOT NULL,
  created_at VARCHAR NOT NULL,
  question VARCHAR NOT NULL,
  follows BOOLEAN NOT NULL,
  answer JSON NOT NULL,
  -- Whether its answer was found useful; NULL: nobody has said.
  useful BOOLEAN,
  comment VARCHAR
);

-- Questions whose plans were found right, for whoever of the organization asks the same again.
CREATE TABLE approved_questions (
  org_id VARCHAR NOT NULL,
  -- The question without capitals and punctuation.
  question VARCHAR NOT NULL,
  -- The plan, its period in words.
  doc JSON NOT NULL,
  approved_at VARCHAR NOT NULL,
  PRIMARY KEY (org_id, question)
);
