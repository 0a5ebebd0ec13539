import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, createAssistant } from "../../../../assistant/assistant.ts";
import { describeCatalog } from "../../../../assistant/catalog/describe.ts";
import { toSay } from "../../../../assistant/chart/bucket-labels.ts";
import { parsePlan } from "../../../../assistant/parse-plan.ts";
import { type EditablePlan, toEditablePlan } from "../../../../assistant/web/chips/edit-plan.ts";
import { groupColumns, narrowingsOf, planOfRow, rowOfMark, rowTitle } from "../../../../assistant/web/narrow/narrow.ts";
import { type Answer, answerSchema, catalogSchema } from "../../../../assistant/web/wire.ts";
import { orgOne } from "../../../make.ts";
import { now, openExampleWarehouse, zone } from "../../example-data.ts";

const catalog = catalogSchema.parse(describeCatalog());
let assistant: Assistant;
let close: () => Promise<void>;
beforeAll(async () => {
  const warehouse = await openExampleWarehouse();
  assistant = createAssistant({ warehouse, clock: { now: () => now, sleep: () => Promise.resolve() } });
  close = () => warehouse.close();
});
afterAll(() => close());

const asked = { orgId: orgOne, timeZone: zone };
const ask = async (question: string): Promise<Answer> =>
  answerSchema.parse(await assistant.ask({ ...asked, question }));
/** Asks by a plan of the page, as the server takes it. */
async function askBy(plan: EditablePlan): Promise<Answer> {
  const parsed = parsePlan(plan);
  expect(parsed, JSON.stringify(plan)).not.toBeNull();
  return answerSchema.parse(await assistant.ask({ ...asked, question: "", plan: parsed ?? undefined }));
}
const planOf = ({ plan }: Answer): EditablePlan => {
  const editable = toEditablePlan(plan);
  if (editable === null) throw new Error("The answer has no plan.");
  return editable;
};

describe("a row that is narrowed to", () => {
  it.each([
    "revenue and calls by campaign last month",
    "calls by buyer last month",
    "calls by state and publisher this year",
    "conversion rate by target last month",
    "calls by utm source last month",
    "calls by day last 30 days",
    "revenue by week this year",
    "revenue by month and campaign this year",
    "calls by quarter this year",
    "calls by year",
    "calls by hour yesterday",
    "calls by hour of day last month",
    "calls by weekday and campaign last month",
    "calls by part of day last month",
    "calls on weekdays by campaign last month",
    "top 3 campaigns by revenue per publisher this year",
    "campaigns with over 10 calls this year",
    "share of calls by campaign last month",
    "running total of revenue by week this year",
    "revenue by campaign last month vs the month before",
    "failed calls by failure reason this year",
    "calls by duplicate this year",
    "webhook deliveries by webhook and outcome this month",
    "bids by buyer this month",
    "calls by campaign",
  ])("has the figures of its row: %s", async (question) => {
    const answer = await ask(question);
    const plan = planOf(answer);
    expect(answer.data.rows.length, answer.answer).toBeGreaterThan(0);
    for (const row of answer.data.rows.slice(0, 12)) {
      const only = planOfRow(plan, row, catalog);
      expect(only, JSON.stringify(row)).not.toBeNull();
      if (only === null) continue;
      const { data } = await askBy(only);
      for (const measure of plan.measures)
        expect([row, data.rows[0]?.[measure] ?? 0]).toEqual([row, row[measure] ?? 0]);
    }
  });

  it.each([
    ["a list of records", "list calls yesterday"],
    ["figures over groups", "how many campaigns had over 10 calls this year"],
    ["steps of a number", "calls by duration in steps of 60 seconds last month"],
    ["a figure without groups", "calls last month"],
  ])("is none of %s", async (_, question) => {
    const answer = await ask(question);
    expect(answer.data.rows.map((row) => planOfRow(planOf(answer), row, catalog))).toEqual(
      answer.data.rows.map(() => null),
    );
  });

  it("is the part of a bucket that the period has", async () => {
    const answer = await ask("calls by month last 30 days");
    const plan = planOf(answer);
    const [first] = answer.data.rows;
    const only = planOfRow(plan, first ?? {}, catalog);
    expect(only?.period).toMatchObject({ from: plan.period?.["from"], label: "October 2026, of last 30 days" });
  });

  it("leads on over time, by other names and to its records, each of which can be asked", async () => {
    for (const question of ["calls by campaign last month", "revenue by month this year", "bids by buyer this month"]) {
      const answer = await ask(question);
      const plan = planOf(answer);
      const found = narrowingsOf(plan, answer.data.rows[0] ?? {}, catalog);
      expect(found.length).toBeGreaterThan(3);
      expect(found.map(({ label }) => label)).not.toContain("By campaign and campaign");
      for (const { plan: next } of found) expect((await askBy(next)).sql).not.toBe("");
    }
    const answer = await ask("calls by campaign last month");
    const labels = narrowingsOf(planOf(answer), answer.data.rows[0] ?? {}, catalog).map(({ label }) => label);
    expect(labels[0]).toBe("By day");
    expect(labels).not.toContain("By campaign");
    expect(labels).not.toContain("By call id");
    expect(labels.at(-1)).toBe("List the calls");
  });

  it("has a title of its groups", async () => {
    const { data, plan } = await ask("revenue by month and campaign this year");
    const editable = toEditablePlan(plan);
    const row = data.rows.find((each) => each["campaign"] === "Solar East" && each["month"] === "2026-10") ?? {};
    expect(rowTitle(editable as EditablePlan, row, { columns: data.columns, zone })).toBe("October 2026, Solar East");
  });
});

describe("a mark of a chart", () => {
  it("stands for the row with its groups", async () => {
    const answer = await ask("revenue by month and campaign this year");
    const plan = planOf(answer);
    const [, row] = answer.data.rows;
    expect(rowOfMark({ ...row, extra: 1 }, plan, answer.data)).toBe(row);
    expect(rowOfMark({ ...row, month: toSay("month", ["2026"])(String(row?.["month"])) }, plan, answer.data)).toBe(row);
    expect(rowOfMark({ ...row, month: new Date(`${row?.["month"]}-01T00:00:00Z`) }, plan, answer.data)).toBe(row);
  });

  it("stands for none where a group is not among its values, or nothing was hit", async () => {
    const answer = await ask("calls by campaign last month");
    const plan = planOf(answer);
    expect(groupColumns(plan)).toEqual(["campaign"]);
    for (const datum of [null, undefined, {}, { campaign: "Other" }, { value: 3 }])
      expect(rowOfMark(datum, plan, answer.data)).toBeNull();
  });
});
