-- Saved questions that are asked and sent by themselves: by the clock, or where a condition begins or ends to hold.
CREATE TABLE schedules (
  id TEXT NOT NULL PRIMARY KEY,
  org_id TEXT NOT NULL,
  saved_question_id TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- Its name, when it runs, its condition, and where its answers go.
  doc TEXT NOT NULL,
  -- Empty while it is paused.
  next_run_at TEXT NOT NULL,
  -- Since when its condition has held; empty while it does not.
  alerting_since TEXT NOT NULL,
  last_run_at TEXT NOT NULL,
  -- delivered, quiet or failed; empty before its first run.
  last_result TEXT NOT NULL,
  -- Runs in a row that have failed.
  failures INTEGER NOT NULL,
  -- Empty while it is not paused.
  paused_at TEXT NOT NULL,
  pause_reason TEXT NOT NULL
);
CREATE INDEX schedules_of_org ON schedules (org_id, created_at, id);
CREATE INDEX schedules_due ON schedules (next_run_at) WHERE next_run_at <> '';

-- Runs of schedules: what is to be sent, and what became of what was sent. Runs whose condition did not change leave none.
CREATE TABLE schedule_runs (
  id TEXT NOT NULL PRIMARY KEY,
  org_id TEXT NOT NULL,
  schedule_id TEXT NOT NULL,
  -- schedule, or manual where somebody asked for it.
  triggered_by TEXT NOT NULL,
  -- answer, alert_started or alert_ended; empty until the question is answered.
  kind TEXT NOT NULL,
  -- pending, delivered, failed or cancelled.
  status TEXT NOT NULL,
  due_at TEXT NOT NULL,
  -- Empty while it is pending.
  ended_at TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at TEXT NOT NULL,
  -- Until then a process works on it; empty when none does.
  leased_until TEXT NOT NULL,
  summary TEXT NOT NULL,
  error TEXT NOT NULL,
  -- What is sent, until it has been.
  report TEXT NOT NULL
);
CREATE INDEX schedule_runs_of_schedule ON schedule_runs (schedule_id, due_at, id);
CREATE INDEX schedule_runs_pending ON schedule_runs (next_attempt_at) WHERE status = 'pending';
CREATE INDEX schedule_runs_ended ON schedule_runs (ended_at) WHERE status <> 'pending';
