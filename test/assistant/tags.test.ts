import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OrgId } from "../../ingest/primitives.ts";
import { type Example, openExample } from "./example-assistant.ts";
import { aCall } from "./example-data.ts";

const orgId = "org_tags" as OrgId;
let example: Example;
beforeAll(async () => {
  example = await openExample();
  const tags = [
    { end: "a", group: "x", calls: "many", 'say "hi"': "1" },
    { end: "a", group: "y", calls: "few", "lead type": "hot", campaign: "own" },
  ];
  const values = tags.map((each, index) => JSON.stringify({ ...aCall(index, orgId), tags: each }));
  await example.warehouse.store({ topic: "call-events", partition: 7, firstOffset: 0, nextOffset: 2, values });
});
afterAll(() => example.close());

describe("a tag whose key is", () => {
  it.each([
    ["a word of SQL", "calls by end", "end", [["a", 2]]],
    [
      "another word of SQL",
      "calls by group",
      "group",
      [
        ["x", 1],
        ["y", 1],
      ],
    ],
    [
      "two words",
      "calls by lead type",
      "lead type",
      [
        ["hot", 1],
        [null, 1],
      ],
    ],
  ] as const)("%s is a column of its own: %s", async (_, question, key, expected) => {
    const { data, sql, chart_suggestion: chart } = await example.ask(question, { orgId });
    expect(data.columns.map(({ name }) => name)).toEqual([`tag_${key}`, "calls"]);
    expect(data.rows.map((row) => [row[`tag_${key}`], row["calls"]])).toEqual(expected);
    expect(sql).toContain(`AS "tag_${key}"`);
    if (expected.length > 1)
      expect(chart).toMatchObject({ x_axis: `tag_${key}`, vega_lite: { encoding: { y: { field: `tag_${key}` } } } });
  });
  it.each(["calls", "campaign", 'say "hi"'])("the name of another column or quoted: %s", async (key) => {
    const first = await example.ask("calls by end", { orgId });
    const plan = { ...first.plan, dimensions: [`tag:${key}`, "campaign"] };
    const previous = { ...first, plan: plan as NonNullable<typeof first.plan> };
    for (const followUp of ["of all time", "only this year", "this month vs last month"]) {
      const { data, sql } = await example.ask(followUp, { orgId, previous });
      expect(
        data.columns.slice(0, 3).map(({ name }) => name),
        sql,
      ).toEqual([`tag_${key}`, "campaign", "calls"]);
      expect(data.rows.every((row) => typeof row["calls"] === "number")).toBe(true);
    }
  });
  it("a word of SQL can be followed over time, since there are records", async () => {
    const { data } = await example.ask("calls by end and day last 7 days", { orgId });
    expect(data.rows).toHaveLength(7);
    expect(data.rows[0]).toEqual({ day: "2026-11-14", tag_end: "a", calls: null });
  });
});
