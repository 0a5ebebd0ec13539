-- What analysts have asked the assistant: a session belongs to one user of one organization.
CREATE TABLE assistant_sessions (
  id TEXT COLLATE "C" PRIMARY KEY,
  org_id TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  title TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL
);
CREATE INDEX assistant_sessions_of_user ON assistant_sessions (org_id, user_id, updated_at);
CREATE INDEX assistant_sessions_updated ON assistant_sessions (updated_at);

-- A question with its answer. `follows`: it was read together with the plan before it.
CREATE TABLE assistant_messages (
  id TEXT COLLATE "C" PRIMARY KEY,
  session_id TEXT COLLATE "C" NOT NULL,
  org_id TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  question TEXT COLLATE "C" NOT NULL,
  follows BOOLEAN NOT NULL,
  answer JSON NOT NULL,
  -- Whether its answer was found useful; NULL: nobody has said.
  useful BOOLEAN,
  comment TEXT COLLATE "C"
);
CREATE INDEX assistant_messages_of_session ON assistant_messages (session_id, created_at, id);

-- Questions whose plans were found right, for whoever of the organization asks the same again.
CREATE TABLE approved_questions (
  org_id TEXT COLLATE "C" NOT NULL,
  -- The question without capitals and punctuation.
  question TEXT COLLATE "C" NOT NULL,
  -- The plan, its period in words.
  doc JSON NOT NULL,
  approved_at TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (org_id, question)
);
