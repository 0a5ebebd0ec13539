import { describe, expect, it } from "vitest";
import { plan, planNamed, toLine } from "./plan-line.ts";

describe("an everyday word", () => {
  const names = ["Fairhaven Second Chance", "Best Quote Team", "Home Solar Northeast", "Chance Media"];
  it.each([
    ["which publisher has the best margin this month, any chance you could tell me?", ["Fairhaven Second Chance"]],
    ["calls by publisher last month for the team", ["Best Quote Team"]],
  ])("is no mention of a longer name that has it: %s", (question, known) =>
    expect(toLine(planNamed(known, question))).not.toContain("campaign is"),
  );
  it.each([
    ["calls for solar last month", "Home Solar Northeast"],
    ["calls for second chance last month", "Fairhaven Second Chance"],
    ["calls for Chance last month", "Chance Media"],
    ["calls for chance last month", "Chance Media"],
    ["calls for the quote team last month", "Best Quote Team"],
  ])("is one where the name begins with it, or more of the name is said: %s", (question, name) =>
    expect(
      toLine(
        planNamed(
          names.filter((each) => each === name),
          question,
        ),
      ),
    ).toBe(`calls: calls | campaign is ${name} | last month`),
  );
});

describe("made", () => {
  it.each([
    ["how many calls did they make last week", "calls | last week"],
    [
      "which publishers have no conversion made today",
      "converted_calls by publisher | converted_calls at_most 0 | today",
    ],
    ["how many calls did we get and how much did we make yesterday", "calls+revenue | yesterday"],
  ])("is no revenue where something else was made: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(`calls: ${line}`),
  );
});

describe("a verb", () => {
  it.each([
    ["how many incoming requests did we accept last month", "incoming_webhook_requests: requests | accepted is true"],
    ["how many calls did we bill last month", "calls: calls | receivable is true"],
    ["how much did we bill last month", "calls: revenue"],
    ["how many calls were billed at more than $40 last month", "calls: calls | revenue more_than 40"],
    ["calls that did not sell last month", "calls: calls | converted is false"],
    ["calls we sold to Sunny Group last month", "calls: calls | buyer is Sunny Group"],
    ["calls that turned into sales last month", "calls: calls | converted is true"],
    ["people hanging up before anyone answered last month", "calls: calls | failure_reason is caller_hangup"],
    ["calls where the target hangs up last month", "calls: calls | ended_by is target"],
    ["calls with more than 5 minutes of talk last month", "calls: calls | connect_duration more_than 300"],
    [
      "which caller ids were billed more than once last month",
      "calls: receivable_calls by caller | receivable_calls more_than 1",
    ],
    ["total payed out last month", "calls: payout"],
    [
      "bidders that are timing out the most last month",
      "outbound_rtb_requests: outbound_pings by buyer | outcome is timeout",
    ],
    ["how many webhooks did we deliver last month", "outgoing_webhook_requests: deliveries | delivered is true"],
  ])("is known in all of its forms: %s", (question, line) =>
    expect(toLine(plan(question)).replace(/ \| outbound_pings desc \d+$/, "")).toBe(`${line} | last month`),
  );
  it.each(["what will we bill next month", "bill for last month", "hang last month", "the telco bill last month"])(
    "is none where it is a noun, of the future, or half of one: %s",
    (question) => expect(plan(question).kind).not.toBe("plan"),
  );
});

describe("deletions in the audit log", () => {
  it.each([
    ["show me all the deletions in the audit log since November 1", 100],
    ["show the last deletion in the audit log", 1],
  ])("are as many as are asked for: %s", (question, limit) =>
    expect(plan(question)).toMatchObject({ kind: "plan", plan: { subject: "audit_logs", limit } }),
  );
});
