import { describe, expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

const hours: readonly [string, string][] = [
  ["calls between noon and 6", "calls: calls | hour_of_day at_least 12 | hour_of_day less_than 18"],
  ["calls from 9am to 11", "calls: calls | hour_of_day at_least 9 | hour_of_day less_than 11"],
  ["calls between 10pm and 2am", "calls: calls | hour_of_day is 22/23/0/1"],
  ["calls from 10pm to 6am last week", "calls: calls | hour_of_day is 22/23/0/1/2/3/4/5 | last week"],
  ["calls between 22:00 and 02:00", "calls: calls | hour_of_day is 22/23/0/1"],
  ["calls after 9pm or before 6am", "calls: calls | hour_of_day is 21/22/23/0/1/2/3/4/5"],
  ["calls before 6am or after 9pm", "calls: calls | hour_of_day is 21/22/23/0/1/2/3/4/5"],
  ["calls between 9am and 5pm", "calls: calls | hour_of_day at_least 9 | hour_of_day less_than 17"],
  ["calls outside 9am-5pm", "calls: calls | hour_of_day is 17/18/19/20/21/22/23/0/1/2/3/4/5/6/7/8"],
  [
    "revenue except 10pm to 6am last week",
    "calls: revenue | hour_of_day at_least 6 | hour_of_day less_than 22 | last week",
  ],
  ["connect rate after 5pm vs before", "calls: connect_rate by hours:17-24:0-17"],
  ["calls before noon and after", "calls: calls by hours:12-24:0-12"],
  ["how much did we make between 9 and 5", "calls: revenue | hour_of_day at_least 9 | hour_of_day less_than 17"],
  ["calls between 8 in the morning and noon", "calls: calls | hour_of_day at_least 8 | hour_of_day less_than 12"],
  ["calls from 6 to 9 in the evening", "calls: calls | hour_of_day at_least 18 | hour_of_day less_than 21"],
  ["mornings vs evenings, abandon rate", "calls: abandon_rate by part_of_day | part_of_day is morning/evening"],
  ["calls from 9:00 am to 5:00pm", "calls: calls | hour_of_day at_least 9 | hour_of_day less_than 17"],
];

describe("hours", () => {
  it.each(hours)("may cross midnight: %s", (question, line) => expect(toLine(plan(question))).toBe(line));
  it.each(["calls between 9am and 9am", "calls before midnight", "calls after 9am or before 5pm", "calls at 10:30"])(
    "that say nothing are handed back: %s",
    (question) => expect(toLine(plan(question))).toMatch(/^refused: I (do not know|cannot place)/),
  );
  it.each([
    ["calls on weeknights last month", "calls on weekdays after 6pm last month"],
    ["weeknight calls by campaign", "on weekdays after 6pm calls by campaign"],
    ["calls at night", "calls between 10pm and 6am"],
  ])("of the night are asked back: %s", (question, option) => {
    const outcome = plan(question);
    expect(outcome).toMatchObject({ kind: "clarify", options: expect.arrayContaining([option]) });
    if (outcome.kind === "clarify") for (const each of outcome.options) expect(plan(each).kind, each).toBe("plan");
  });
});
