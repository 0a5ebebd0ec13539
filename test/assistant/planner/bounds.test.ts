import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const several: readonly [string, string][] = [
  [
    "which publishers with 50+ calls had a conversion rate below 30% last month",
    "calls: calls+conversion_rate by publisher | calls at_least 50 | conversion_rate less_than 30 | last month",
  ],
  [
    "campaigns with 20 conversions or more and a margin above 20%",
    "calls: converted_calls+margin by campaign | converted_calls at_least 20 | margin more_than 20",
  ],
  ["states with 20+ calls over 2 minutes", "calls: calls by state | duration more_than 120 | calls at_least 20"],
  ["calls and revenue over 5 minutes", "calls: calls+revenue | duration more_than 300"],
  ["profit and payout of calls under 30 seconds", "calls: profit+payout | duration less_than 30"],
];

const hours: readonly [string, string][] = [
  ["calls between 10pm and 2am", "calls: calls | hour_of_day is 22/23/0/1"],
  ["calls from 10pm to 6am last week", "calls: calls | hour_of_day is 22/23/0/1/2/3/4/5 | last week"],
  ["calls between 22:00 and 02:00", "calls: calls | hour_of_day is 22/23/0/1"],
  ["calls after 9pm or before 6am", "calls: calls | hour_of_day is 21/22/23/0/1/2/3/4/5"],
  ["calls before 6am or after 9pm", "calls: calls | hour_of_day is 21/22/23/0/1/2/3/4/5"],
  ["calls between 9am and 5pm", "calls: calls | hour_of_day at_least 9 | hour_of_day less_than 17"],
  ["calls from 9:00 am to 5:00pm", "calls: calls | hour_of_day at_least 9 | hour_of_day less_than 17"],
];

describe("bounds", () => {
  it.each(several)("are read in the order in which they are said: %s", (question, line) =>
    expect(toLine(plan(question))).toBe(line),
  );
  it.each(hours)("on the hour may cross midnight: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it.each(["calls between 9am and 9am", "calls before midnight", "calls after 9am or before 5pm", "calls at 10:30"])(
    "on the hour that say nothing are handed back: %s",
    (question) => expect(toLine(plan(question))).toMatch(/^refused: I did not understand/),
  );
  it.each([
    ["calls on weeknights last month", "calls on weekdays after 6pm last month"],
    ["weeknight calls by campaign", "on weekdays after 6pm calls by campaign"],
    ["calls at night", "calls between 10pm and 6am"],
  ])("on nights are asked back: %s", (question, option) => {
    const outcome = plan(question);
    expect(outcome).toMatchObject({ kind: "clarify", options: expect.arrayContaining([option]) });
    if (outcome.kind === "clarify") for (const each of outcome.options) expect(plan(each).kind, each).toBe("plan");
  });
});
