import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { turns } from "../../../../assistant/planner/words/turns.ts";
import { plan, planChain, toLine } from "../plan-line.ts";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const asked: readonly [string | readonly string[], string][] = [
  [
    "the reasons calls to Acme Media failed last month",
    "calls: calls by failure_reason | publisher is Acme Media | failed is true | last month",
  ],
  [
    "why were Acme Media's calls missed last month",
    "calls: calls by failure_reason | publisher is Acme Media | failed is true | last month",
  ],
  ["failed calls because nobody answered by campaign", "calls: failed_calls by campaign | failure_reason is no_answer"],
  ["what went wrong with our calls last week", "calls: calls by failure_reason | failed is true | last week"],
  ["biggest spending buyer last month", "calls: revenue by buyer | last month | revenue desc 1"],
  ["unpaid vs paid calls by campaign", "calls: calls by campaign+payable"],
  ["which targets kept callers waiting the longest", "calls: avg_wait_time by target | avg_wait_time desc 10"],
  ["my boss wants to see the revenue by campaign", "calls: revenue by campaign"],
  [
    "which webhooks ran into timeouts last month and how often",
    "outgoing_webhook_requests: deliveries by webhook | outcome is timeout | last month",
  ],
  ["which publisher sends us the shortest calls on average", "calls: avg_duration by publisher | avg_duration asc 1"],
  [
    "calls that rang more than 30 seconds before being answered, by target",
    "calls: calls by target | wait_time more_than 30",
  ],
  ["how much did each bidder bid on average last month", "outbound_rtb_requests: avg_bid by buyer | last month"],
  [
    "how many calls did Acme Media send per day on average last month",
    "calls: calls | publisher is Acme Media | last month",
  ],
  ["minutes of talk time by buyer", "calls: talk_time by buyer"],
  ["which bidder is fastest to answer", "outbound_rtb_requests: avg_time by buyer | avg_time asc 1"],
  ["conversion rate of repeat callers vs new callers", "calls: conversion_rate by repeat"],
  ["calls from first-time callers by state", "calls: calls by state | repeat is false"],
  ["first-timers by state", "calls: unique_callers by state | repeat is false"],
  ["fastest webhook response by webhook", "outgoing_webhook_requests: min_response_time by webhook"],
  ["min, average and max bid by formula", "outbound_rtb_requests: lowest_bid+avg_bid+highest_bid by rtb"],
  ["max and min bid by formula", "outbound_rtb_requests: highest_bid+lowest_bid by rtb"],
  ["average, max bid by formula", "outbound_rtb_requests: avg_bid+highest_bid by rtb"],
  ["how many incoming webhook requests did we accept", "incoming_webhook_requests: requests | accepted is true"],
  ["revenue last month for new callers only", "calls: revenue | repeat is false | last month"],
  ["changes by the system vs api keys", "audit_logs: changes by actor_type | actor_type is system/api_key"],
  [
    "deliveries that succeeded on the third attempt",
    "outgoing_webhook_requests: deliveries | delivered is true | attempt is 3",
  ],
  [
    "deliveries that failed on the fourth attempt",
    "outgoing_webhook_requests: deliveries | failed is true | attempt is 4",
  ],
  ["deliveries that failed on the fifth try", "outgoing_webhook_requests: deliveries | attempt is 5 | failed is true"],
  [
    "callers who called at least 3 times and never converted",
    "calls: calls+converted_calls by caller | calls at_least 3 | converted_calls at_most 0",
  ],
  ["profit by campaign, min 20 calls", "calls: profit+calls by campaign | calls at_least 20"],
  ["publishers with max 5 calls", "calls: calls by publisher | calls at_most 5"],
  ["calls by who ended them", "calls: calls by ended_by"],
  ["wait time by target, fastest first", "calls: avg_wait_time by target | avg_wait_time asc"],
  [["revenue by campaign", "smallest one"], "calls: revenue by campaign | revenue asc 1"],
  [["revenue by campaign", "which one made the least"], "calls: revenue by campaign | revenue asc 1"],
  ["list the last 5 failed deliveries with their status codes", "outgoing_webhook_requests: list | failed is true | 5"],
  ["first-timers by state", "calls: unique_callers by state | repeat is false"],
  ["calls of spanish speaking callers by state", "calls: calls by state | tag:language is es"],
  ["which target has the longest calls on average", "calls: avg_duration by target | avg_duration desc 1"],
  [
    "calls sold by auction: revenue plus conversion rate, by month",
    "calls: revenue+conversion_rate by month | sold_by_auction is true",
  ],
  [
    "conversion rate of spanish vs english speaking callers",
    "calls: conversion_rate by tag:language | tag:language is es/en",
  ],
  ["failed deliveries for each of our outgoing webhooks", "outgoing_webhook_requests: failed_deliveries by webhook"],
  [
    "calls where we pay the publisher but cannot bill the buyer by buyer",
    "calls: calls by buyer | payable is true | receivable is false",
  ],
];
it.each(asked)("a turn of phrase is put into plain words: %j", (said, line) =>
  expect(toLine(typeof said === "string" ? plan(said) : planChain(...said))).toBe(line),
);

it("every turn of phrase is met by a question of a test or of the evaluation", { tags: ["slow"] }, () => {
  const quoted = /"((?:[^"\\\n]|\\.)+)"/gu;
  const files = [
    ...readdirSync(folder("../")).map((name) => folder(`../${name}`)),
    ...readdirSync(folder("../../../eval/questions/")).map((name) => folder(`../../../eval/questions/${name}`)),
    folder("turns.test.ts"),
  ].filter((path) => /\.(?:ts|jsonl)$/.test(path));
  const questions = files.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(quoted)].map(([, said = ""]) => said),
  );
  const unmet = new Set(turns);
  for (const question of new Set(questions)) {
    if (question.startsWith("SELECT ")) continue;
    turns.reduce((text, turn) => {
      const plain = text.replace(turn[0], turn[1]);
      if (plain !== text) unmet.delete(turn);
      return plain;
    }, question);
  }
  expect([...unmet].map(([said]) => String(said))).toEqual([]);
});
