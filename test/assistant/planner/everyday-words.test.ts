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

describe("whoever never read the catalog", () => {
  it.each([
    ["revenue by supplier last month", "calls: revenue by publisher"],
    ["calls by lead vendor last month", "calls: calls by publisher"],
    ["calls answered by each rep last month", "calls: connected_calls by target"],
    ["calls per phone line last month", "calls: calls by number"],
    ["calls by dialled number last month", "calls: calls by number"],
    ["what are our expenses last month", "calls: payout"],
    ["what did we pay vendors last month", "calls: payout"],
    ["what was left over last month", "calls: profit"],
    ["how much money did we keep last month", "calls: profit"],
    ["net income last month", "calls: profit"],
    ["average income per call last month", "calls: rpc"],
    ["what does a sale cost us last month", "calls: payout_per_conversion"],
    ["calls we were paid for last month", "calls: calls | receivable is true"],
    ["calls we paid for last month", "calls: calls | payable is true"],
    ["calls that got through last month", "calls: calls | connected is true"],
    ["calls with manually changed amounts last month", "calls: calls | adjusted is true"],
    ["calls from people who called before last month", "calls: calls | repeat is true"],
    ["time in the phone menu by campaign last month", "calls: avg_ivr_duration by campaign"],
    ["how long do callers have to wait by target last month", "calls: avg_wait_time by target"],
    ["calls ended by the agent last month", "calls: calls | ended_by is target"],
    ["webhooks that went wrong last month", "outgoing_webhook_requests: deliveries | failed is true"],
    ["how many attempts does a delivery need last month", "outgoing_webhook_requests: attempts_per_delivery"],
    ["webhooks turned down by the receiver last month", "outgoing_webhook_requests: deliveries | outcome is refused"],
    ["requests other systems sent us last month", "incoming_webhook_requests: requests"],
    ["incoming webhooks that belong to no call last month", "incoming_webhook_requests: requests | matched is false"],
    ["pings we could serve last month", "inbound_rtb_requests: pings | filled is true"],
    ["pings over the limit last month", "inbound_rtb_requests: rate_limited_pings"],
    ["pings we had no buyer for last month", "inbound_rtb_requests: pings | filled is false"],
    ["average quote by publisher last month", "inbound_rtb_requests: avg_best_payout by publisher"],
    ["winning percentage by buyer last month", "outbound_rtb_requests: win_rate by buyer"],
    ["late answers by buyer last month", "outbound_rtb_requests: timeouts by buyer"],
    ["manual changes last month", "audit_logs: changes | actor_type is user"],
    ["changes by team member last month", "audit_logs: changes by actor"],
    ["changes to the phone menu last month", "audit_logs: changes | entity_type is ivr"],
  ])("is understood: %s", (question, line) =>
    expect(toLine(plan(question)).replace(/ {2}#.*$/, "")).toBe(`${line} | last month`),
  );
  it.each(["revenue by customer last month", "calls by account last month", "price per call by publisher last month"])(
    "is asked what a word means that fits two things, or none: %s",
    (question) => expect(plan(question).kind).not.toBe("plan"),
  );
});

describe("a number in words", () => {
  it.each([
    ["calls on the twenty-first of October", "calls | 2026-10-21"],
    ["calls on October twenty first", "calls | 2026-10-21"],
    ["ninety-fifth percentile of wait time", "p95_wait_time"],
    ["the fiftieth percentile of call length by target", "median_duration by target"],
    ["calls between the tenth and the twentieth of October", "calls | 2026-10-10 to 2026-10-20"],
    ["calls since the twenty-third of October", "calls | since 2026-10-23"],
    ["calls on November the 17th", "calls | 2026-11-17"],
  ])("is a place, a day or a percentile: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(`calls: ${line}`),
  );
  it.each(["calls at the end of October", "calls in early October", "calls since mid-September"])(
    "is needed where a part of a month has no first day: %s",
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
