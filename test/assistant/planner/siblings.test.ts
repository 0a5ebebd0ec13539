import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const siblings: readonly [string, string][] = [
  ["sip vs number last month", "calls: calls by target_type | target_type is sip/number | last month"],
  ["connected calls number vs sip", "calls: connected_calls by target_type | target_type is number/sip"],
  ["calls to phone number targets", "calls: calls | target_type is number"],
  ["calls by number", "calls: calls by number"],
  ["caller hung up vs target last month", "calls: calls by ended_by | ended_by is caller/target | last month"],
  ["calls where the caller hung up and target Acme", "calls: calls | ended_by is caller | target is Acme"],
  ["calls by number and sip", "calls: calls | target_type is number/sip"],
];
it.each(siblings)("beside a value of a closed list stands another of it: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);

it.each([
  [
    "calls for Solar East vs West last month",
    "calls: calls by campaign | campaign is Solar East/Solar West | last month",
  ],
  [
    "revenue for Sunny Group Desk East or West",
    "calls: revenue | target is Sunny Group Desk East/Sunny Group Desk West",
  ],
])("a word in the place of a name's last one is the name with it: %s", (question, line) =>
  expect(toLine(plan(question))).toBe(line),
);
it("and without such a name it is not known", () =>
  expect(toLine(plan("calls for Solar East vs North last month"))).toMatch(/North/));
