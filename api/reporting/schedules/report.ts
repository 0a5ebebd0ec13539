import { z } from "zod";
import { type Answer, type AnswerColumn, answerSchema } from "../../../assistant/answer.ts";
import { planSchema } from "../../../assistant/plan.ts";
import { formatCell, toLabel } from "../../../assistant/web/format.ts";
import { dataSchema } from "../../../assistant/web/wire.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import { csvEncoder } from "../../exports/formats.ts";
import { type Mail, toHtmlText } from "../../outbound/mailer.ts";

export const reportKinds = ["answer", "alert_started", "alert_ended"] as const;
export type ReportKind = (typeof reportKinds)[number];

const { columns, rows } = answerSchema.shape.data.shape;

/** An answer as a schedule sends it, stored until it has been sent. */
export const reportSchema = z.object({
  kind: z.enum(reportKinds),
  name: z.string(),
  question: z.string(),
  /** The condition in words; null for a scheduled answer. */
  condition: z.string().nullable(),
  answer: z.string(),
  /** The plan in words and dates. */
  reading: z.string(),
  plan: planSchema.nullable(),
  columns,
  rows,
  /** Rows of the answer, of which `rows` may be the first. */
  row_count: z.int(),
  asked_at: z.string(),
  /** The zone of its times. */
  zone: z.string(),
});
export type Report = z.infer<typeof reportSchema>;

/** Rows of one report: a mail is to be read. */
export const mostReportRows = 500;
/** Rows in the text of a mail; the file beside it has those of the report. */
const mostShownRows = 30;

interface Told {
  readonly kind: ReportKind;
  readonly name: string;
  readonly question: string;
  readonly condition: string | null;
  readonly askedAt: string;
  readonly zone: string;
  /** The rows of the answer that the report contains. */
  readonly rows: readonly Row[];
}

export const toReport = (answer: Answer, { askedAt, rows, ...told }: Told): Report => ({
  ...told,
  answer: answer.answer,
  reading: answer.interpretation?.summary ?? "",
  plan: answer.plan,
  columns: answer.data.columns,
  rows: rows.slice(0, mostReportRows) as Report["rows"],
  row_count: rows.length,
  asked_at: askedAt,
});

/** Returns the report in a line: the summary in the history and the subject of the mail. */
export function headline({ kind, name, condition }: Pick<Report, "kind" | "name" | "condition">): string {
  if (kind === "answer") return name;
  return kind === "alert_started" ? `Alert: ${name} (${condition})` : `Over: ${name} (no longer ${condition})`;
}

/** Addresses on the page; empty where the page's own address is not known. */
export interface Links {
  readonly answer: string;
  readonly schedules: string;
}

/** The address of the page that asks the question anew, by the plan of this answer. */
export function linksOf({ question, plan }: Pick<Report, "question" | "plan">, pageAddress: string | null): Links {
  if (pageAddress === null) return { answer: "", schedules: "" };
  const given = new URLSearchParams({ question, ...(plan === null ? {} : { plan: JSON.stringify(plan) }) });
  return { answer: `${pageAddress}/#ask?${given}`, schedules: `${pageAddress}/#schedules` };
}

/** The cells of the table, written as on the page. */
function cellsOf({ columns, rows, row_count, zone }: Report): string[][] {
  const shown = { columns, rows: rows.slice(0, mostShownRows), row_count, truncated: false };
  const data = dataSchema.parse(shown);
  return data.rows.map((row) => data.columns.map((column) => formatCell(row[column.name] ?? null, column, zone)));
}

/** Returns the lines before the table. */
function introduction({ kind, condition, answer, reading }: Report): string[] {
  const lines = [];
  if (kind === "alert_started") lines.push(`This alert has begun: ${condition}.`);
  if (kind === "alert_ended") lines.push(`This alert is over: no longer ${condition}.`);
  if (kind !== "alert_started") lines.push(answer);
  // Most sentences begin with the plan in words.
  return reading === "" || (kind !== "alert_started" && answer.startsWith(reading)) ? lines : [...lines, reading];
}

/** Returns a sentence that counts the rows left out; empty if all are shown. */
function restOf({ rows, row_count: count }: Report): string {
  const shown = Math.min(rows.length, mostShownRows);
  return shown < count ? `The first ${shown} of ${count} rows; the file has ${rows.length}.` : "";
}

const footer = "Sent by a schedule of your organization on Trunkline.";

function toText(report: Report, { answer, schedules }: Links): string {
  const table = [report.columns.map(({ name }) => toLabel(name)), ...cellsOf(report)];
  const widths = report.columns.map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0)));
  const lines = table.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const links = answer === "" ? [] : [`Open it: ${answer}`, "", `${footer} Pause or change it: ${schedules}`];
  const parts = [introduction(report), report.rows.length > 0 ? lines : [], [restOf(report)], links];
  return parts
    .map((part) => part.join("\n").trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

function toHtml(report: Report, { answer, schedules }: Links): string {
  const { columns } = report;
  const cell = (tag: "th" | "td", text: string, column: AnswerColumn | undefined) => {
    const align = column !== undefined && column.unit !== null ? "right" : "left";
    return `<${tag} style="padding:4px 12px 4px 0;text-align:${align};border-bottom:1px solid #ddd">${toHtmlText(text)}</${tag}>`;
  };
  const head = columns.map((column) => cell("th", toLabel(column.name), column)).join("");
  const body = cellsOf(report).map(
    (cells) => `<tr>${cells.map((text, at) => cell("td", text, columns[at])).join("")}</tr>`,
  );
  const rest = restOf(report);
  const link = (address: string, text: string) => `<a href="${toHtmlText(address)}">${text}</a>`;
  return [
    '<div style="font-family:sans-serif;font-size:14px;color:#1a1a1a">',
    `<h1 style="font-size:18px">${toHtmlText(headline(report))}</h1>`,
    ...introduction(report).map((line) => `<p>${toHtmlText(line)}</p>`),
    ...(report.rows.length > 0
      ? [`<table style="border-collapse:collapse"><tr>${head}</tr>${body.join("")}</table>`]
      : []),
    ...(rest === "" ? [] : [`<p>${rest}</p>`]),
    ...(answer === "" ? [] : [`<p>${link(answer, "Open it on Trunkline")}</p>`]),
    `<p style="color:#666">${footer}${schedules === "" ? "" : ` ${link(schedules, "Pause or change it")}`}</p>`,
    "</div>",
  ].join("\n");
}

/** The report as a mail, with its rows as a file beside it. */
export function toMail(report: Report, links: Links): Pick<Mail, "subject" | "text" | "html" | "attachments"> {
  const { begin, add } = csvEncoder(report.columns.map(({ name }) => ({ name, kind: "text" })));
  const content = Buffer.concat([begin(), add(report.rows as readonly Row[])]);
  return {
    subject: headline(report),
    text: toText(report, links),
    html: toHtml(report, links),
    attachments: report.rows.length > 0 ? [{ filename: "answer.csv", contentType: "text/csv", content }] : [],
  };
}

/** The report as the body of a webhook. */
export const toWebhookBody = (
  report: Report,
  links: Links,
  ids: { readonly id: string; readonly schedule_id: string },
) => ({
  ...ids,
  type: report.kind,
  text: `${headline(report)}\n${introduction(report).join("\n")}`,
  name: report.name,
  question: report.question,
  condition: report.condition,
  answer: report.answer,
  reading: report.reading,
  columns: report.columns,
  rows: report.rows,
  row_count: report.row_count,
  asked_at: report.asked_at,
  url: links.answer === "" ? null : links.answer,
});
