-- Boards of saved questions, in the order in which they are shown: an organization's (user_id is empty), and each user's own.
CREATE TABLE boards (
  org_id TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  saved_question_ids TEXT NOT NULL,
  updated_by TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (org_id, user_id)
);
