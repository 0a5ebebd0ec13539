/** Texts that may run, and must not bring anything of organization two. */
export const fruitless: readonly string[] = [
  "SELECT * FROM calls WHERE org_id = 'org_two'",
  "SELECT * FROM calls WHERE org_id <> 'org_one'",
  "SELECT * FROM calls WHERE true OR org_id = 'org_two'",
  "SELECT DISTINCT org_id FROM calls",
  "SELECT org_id FROM calls UNION SELECT org_id FROM call_events UNION SELECT org_id FROM inbound_rtb_requests",
  "SELECT org_id FROM outgoing_webhook_requests UNION SELECT org_id FROM incoming_webhook_requests",
  "SELECT org_id FROM outbound_rtb_requests UNION SELECT org_id FROM audit_logs",
  "SELECT c.org_id FROM calls AS c FULL JOIN call_events AS e ON true LIMIT 500",
  "SELECT org_id FROM calls AS calls WHERE call_id LIKE 'org_two%'",
  "SELECT org_id FROM calls\u200b",
  "WITH a AS (SELECT * FROM calls), b AS (SELECT * FROM a) SELECT org_id FROM b GROUP BY org_id",
];
