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
