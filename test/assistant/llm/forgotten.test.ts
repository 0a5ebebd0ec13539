import { describe, expect, it } from "vitest";
import { forgotten } from "../../../assistant/llm/forgotten.ts";
import { catalogLexicon } from "../../../assistant/planner/link/lexicon.ts";
import { createNameIndex } from "../../../assistant/planner/link/name-index.ts";
import { orgOne } from "../../make.ts";
import { now, zone } from "../example-data.ts";

const lexicon = catalogLexicon();
const linking = { lexicon, names: createNameIndex(lexicon).names(true), now, zone };
const lostIn = (text: string, sql: string) =>
  forgotten({ orgId: orgOne, text, linking }, { kind: "sql", sql: `SELECT ${sql}` });

const failed = "FROM outgoing_webhook_requests WHERE outcome <> 'delivered'";
const half = (condition: string) => `(SELECT count(*) FROM calls WHERE ${condition})`;
const [thisWeek, lastWeek] = [
  "started_at >= '2026-11-16 05:00:00'",
  "started_at >= '2026-11-09 05:00:00' AND started_at < '2026-11-16 05:00:00'",
];

describe("what SQL leaves out of a question", () => {
  it.each<[string, string, string, string[]]>([
    [
      "a name of a column is no condition",
      "failed deliveries",
      "count(*) AS failed FROM outgoing_webhook_requests",
      ["failed deliveries"],
    ],
    ["the condition is", "failed deliveries", `count(*) ${failed}`, []],
    [
      "another value is another condition",
      "failed calls",
      "count(*) FROM calls WHERE status = 'completed'",
      ["failed calls"],
    ],
    ["another column may say it", "failed calls", "count(*) FROM calls WHERE connected_at IS NULL", []],
    ["groups show both sides of a fact", "failed calls by hour", "status, count(*) FROM calls GROUP BY 1", []],
    [
      "groups do not show both sides of a range",
      "refused incoming webhook requests",
      "response_status_code, count(*) FROM incoming_webhook_requests GROUP BY 1",
      ["refused incoming webhook requests"],
    ],
    [
      "the place of a column is no number",
      "calls with over 2 attempts by campaign",
      "campaign_name, attempts, count(*) FROM calls GROUP BY 1, 2",
      ["2"],
    ],
    [
      "a part of a time is no number",
      "calls with over 11 attempts",
      "count(*) FROM calls WHERE started_at >= '2026-11-01'",
      ["11"],
    ],
    [
      "an empty column is left out by its figure",
      "match rate of incoming webhooks",
      "100.0 * count(call_id) / count(*) FROM incoming_webhook_requests",
      [],
    ],
    [
      "each half has it",
      "Texas calls this week vs last week",
      `${half(`caller_state = 'TX' AND ${thisWeek}`)}, ${half(`caller_state = 'TX' AND ${lastWeek}`)}`,
      [],
    ],
    [
      "one half has it",
      "Texas calls this week vs last week",
      `${half(thisWeek)}, ${half(`caller_state = 'TX' AND ${lastWeek}`)}`,
      ["Texas"],
    ],
    [
      "a share of all is no half",
      "share of Texas of all calls",
      `100.0 * ${half("caller_state = 'TX'")} / (SELECT count(*) FROM calls)`,
      [],
    ],
  ])("%s", (_why, question, sql, words) => {
    expect(lostIn(question, sql)).toEqual(words);
  });
});
