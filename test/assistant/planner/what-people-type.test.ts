import { expect, it } from "vitest";
import { plan, planChain, toLine } from "./plan-line.ts";

it.each([
  [
    "payout by publisher for last week and leave the duplicates out",
    "payout by publisher | duplicate is false | last week",
  ],
  ["total payout in september but leave Solar East out of it", "payout | campaign is_not Solar East | September 2026"],
  ["profit week by week from the start of October till now", "profit by week | since October 2026"],
  ["calls and payout by publisher, everything since september 1", "calls+payout by publisher | since 2026-09-01"],
  [
    "what day of the week brings in the most revenue, looking at everything we have",
    "revenue by day_of_week | revenue desc 1",
  ],
  ["Nov 5 through the 9th: calls by publisher", "calls by publisher | 2026-11-05 to 2026-11-09"],
  ["how many different people called yesterday", "unique_callers | yesterday"],
  ["how long are callers waiting at each target last week", "avg_wait_time by target | last week"],
  [
    "how long do callers wait till someone picks up? split it by buyer, this month",
    "avg_wait_time by buyer | this month",
  ],
  ["show me last month's calls where our profit was negative", "list | profit less_than 0 | last month | 100"],
  ["which single day in october had the lowest margin", "margin by day | October 2026 | margin asc 1"],
  ["MTD calls against last month at the same point", "calls | month to date | against last month, same part"],
])("is read: %s", (question, line) => expect(toLine(plan(question))).toBe(`calls: ${line}`));

it("a weekday behind a figure of one day is another day", () => {
  expect(toLine(planChain("how many calls did we get yesterday", "and on thursday?"))).toBe(
    "calls: calls | Thursday 2026-11-19",
  );
  expect(toLine(planChain("how many calls did we get last month", "and on thursdays?"))).toBe(
    "calls: calls | day_of_week is Thursday | last month",
  );
});
