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

describe("deletions in the audit log", () => {
  it.each([
    ["show me all the deletions in the audit log since November 1", 100],
    ["show the last deletion in the audit log", 1],
  ])("are as many as are asked for: %s", (question, limit) =>
    expect(plan(question)).toMatchObject({ kind: "plan", plan: { subject: "audit_logs", limit } }),
  );
});
