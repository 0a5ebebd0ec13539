-- Boards of saved questions, in the order in which they are shown: an organization's (user_id is empty), and each user's own.
CREATE TABLE boards (
  org_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  saved_question_ids TEXT NOT NULL,
  updated_by TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (org_id, user_id)
);
