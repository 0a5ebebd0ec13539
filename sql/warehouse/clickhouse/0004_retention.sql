-- From when on rows are shown: the newest row says it, none means all. Of what was from before `gone_before` the engine may
-- have deleted some, so none of it is shown again, whatever is set later.
CREATE TABLE IF NOT EXISTS retention (
  kept_from DateTime64(3, 'UTC'),
  gone_before DateTime64(3, 'UTC'),
  changed_at DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY tuple()
SETTINGS fsync_after_insert = 1;

CREATE OR REPLACE VIEW shown_counts AS SELECT * FROM loader_counts FINAL;
