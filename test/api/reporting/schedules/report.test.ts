import { describe, expect, it } from "vitest";
import {
  type Condition,
  describeCondition,
  figuresOf,
  rowsThatMeet,
  unitOf,
} from "../../../../api/reporting/schedules/condition.ts";
import { headline, linksOf, type Report, toMail, toWebhookBody } from "../../../../api/reporting/schedules/report.ts";

const columns: Report["columns"] = [
  { name: "campaign", type: "text", unit: null },
  { name: "conversion_rate", type: "number", unit: "percent" },
];
const rows = [
  { campaign: "Solar", conversion_rate: 12.5 },
  { campaign: "Roofing", conversion_rate: 20 },
  { campaign: "Legal", conversion_rate: null },
];

const aReport = (given: Partial<Report> = {}): Report => ({
  kind: "answer",
  name: "Conversion",
  question: "conversion rate by campaign today",
  condition: null,
  answer: "Roofing converts best: 20%.",
  reading: "Conversion rate by campaign, today.",
  plan: null,
  columns,
  rows,
  row_count: rows.length,
  asked_at: "2026-11-21T15:00:00.000Z",
  zone: "UTC",
  ...given,
});

const figure = (operator: "above" | "at_least" | "below" | "at_most", value: number): Condition => ({
  kind: "figure",
  column: "conversion_rate",
  operator,
  value,
});

describe("a condition", () => {
  it.each([
    [figure("below", 20), ["Solar"]],
    [figure("at_most", 20), ["Solar", "Roofing"]],
    [figure("above", 12.5), ["Roofing"]],
    [figure("at_least", 12.5), ["Solar", "Roofing"]],
    [figure("above", 99), []],
    [{ kind: "rows" } as const, ["Solar", "Roofing", "Legal"]],
  ])("%o is met by its rows, an unknown figure by none", (condition, expected) => {
    expect(rowsThatMeet(condition, { columns, rows }).map(({ campaign }) => campaign)).toEqual(expected);
  });

  it("is about figures alone, and is said in their unit", () => {
    expect(figuresOf({ columns })).toEqual(["conversion_rate"]);
    const below = figure("below", 20);
    expect(describeCondition(below, unitOf(below, columns))).toBe("conversion rate below 20%");
    expect(describeCondition(figure("at_least", 1000), null)).toBe("conversion rate at least 1,000");
  });
});

describe("a mail", () => {
  const links = linksOf(aReport(), "https://trunkline.example");

  it("has the sentence, the table and links, as text and as HTML, and the rows as a file", () => {
    const { subject, text, html, attachments } = toMail(aReport(), links);
    expect(subject).toBe("Conversion");
    expect(text).toContain("Roofing converts best: 20%.\nConversion rate by campaign, today.");
    expect(text).toMatch(/^Campaign {2}Conversion rate$/m);
    expect(text).toMatch(/^Solar {5}12\.5%$/m);
    expect(text).toMatch(/^Legal {5}–$/m);
    expect(text).toContain("https://trunkline.example/#ask?question=conversion+rate+by+campaign+today");
    expect(text).toContain("https://trunkline.example/#schedules");
    expect(html).toContain('<a href="https://trunkline.example/#schedules">');
    expect(attachments[0]?.content.toString()).toBe(
      "campaign,conversion_rate\r\nSolar,12.5\r\nRoofing,20\r\nLegal,\r\n",
    );
  });

  it("gives nobody's name as HTML or as a spreadsheet's formula", () => {
    const evil = '=HYPERLINK("x")<img src=x>';
    const { html, attachments } = toMail(
      aReport({ name: evil, rows: [{ campaign: evil, conversion_rate: 1 }] }),
      links,
    );
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img");
    expect(attachments[0]?.content.toString()).toContain(`"'=HYPERLINK`);
  });

  it("says of many rows how many it shows", () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ campaign: `c${index}`, conversion_rate: 1 }));
    const { text } = toMail(aReport({ rows: many, row_count: 900 }), links);
    expect(text).toContain("The first 30 of 900 rows; the file has 500.");
    expect(text).not.toContain("c30 ");
  });

  it("of an alert says what has begun, and what is over", () => {
    const condition = "conversion rate below 20%";
    const begun = toMail(aReport({ kind: "alert_started", condition }), links);
    expect(begun.subject).toBe("Alert: Conversion (conversion rate below 20%)");
    expect(begun.text).toContain("This alert has begun: conversion rate below 20%.");
    expect(headline(aReport({ kind: "alert_ended", condition }))).toBe(
      "Over: Conversion (no longer conversion rate below 20%)",
    );
  });

  it("has no links where the page's address is not known", () => {
    const { text, html } = toMail(aReport(), linksOf(aReport(), null));
    expect(text).not.toContain("http");
    expect(html).not.toContain("<a ");
  });
});

it("of a webhook has the same in fields", () => {
  const body = toWebhookBody(aReport(), linksOf(aReport(), null), { id: "run-1", schedule_id: "schedule-1" });
  expect(body).toMatchObject({ id: "run-1", schedule_id: "schedule-1", type: "answer", rows, row_count: 3, url: null });
  expect(body.text).toBe("Conversion\nRoofing converts best: 20%.\nConversion rate by campaign, today.");
});
