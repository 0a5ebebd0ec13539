import { writeFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import type { Answer } from "../../assistant/answer.ts";
import { type Assistant, createAssistant } from "../../assistant/assistant.ts";
import type { Plan } from "../../assistant/plan.ts";
import type { Outcome } from "../../assistant/planner/outcome.ts";
import { offlinePlanner, type Planner } from "../../assistant/planning.ts";
import { chartOptions } from "../../assistant/web/chart/chart-spec.ts";
import { answerSchema } from "../../assistant/web/wire.ts";
import { type Clock, clockFrom, systemClock } from "../../ingest/clock.ts";
import { sql } from "../../warehouse/statement.ts";
import type { Organization } from "../config/store.ts";
import { csvEncoder } from "../exports/formats.ts";
import { readSettings } from "../settings/settings.ts";
import { type Output, runCommand, UsageError } from "./command.ts";
import { describeOrganization, findOrganization } from "./config-database.ts";
import { type DataSource, openDataSource } from "./data-source.ts";
import { toLine, toTextTable } from "./text-table.ts";

const usage = `npm run ask -- "QUESTION" [--on DIR] [--organization ORG] [--now TIME]
                        [--sql | --json | --csv] [--chart FILE.svg]

Answers a question about calls, webhooks and bids without a server, by rules alone: prints the
answer in a sentence, then its rows. What can be asked is in assistant/catalog/catalog.md.

  --on DIR             folder of npm run fixtures, or the DATA_DIR of a stopped platform
                       [the stores of the settings]
  --organization ORG   id or name of the organization; --org for short [the one with most calls]
  --now TIME           time that "today" and "last month" go by, ISO 8601
                       [the end of fixtures; else now]
  --sql                prints the SQL alone, for a shell of DuckDB on DIR/trunkline.duckdb
  --json               prints the answer as POST /reporting_ai/query gives it
  --csv                prints the rows as CSV, up to 50,000
  --chart FILE.svg     draws the answer's chart into a file, too

For a file or a program: npm run ask --silent -- …, without the two lines that npm itself writes.

A question without an answer is a failure.`;

const options = {
  on: { type: "string" },
  organization: { type: "string" },
  org: { type: "string" },
  now: { type: "string" },
  sql: { type: "boolean" },
  json: { type: "boolean" },
  csv: { type: "boolean" },
  chart: { type: "string" },
} as const;

const forms = ["sql", "json", "csv"] as const;
type Form = (typeof forms)[number] | "text";

/** Rows of a CSV file, as of an export of the page. */
const mostRows = 50_000;
const chartWidthPx = 960;

await runCommand({
  options,
  usage,
  takesArguments: true,
  reads: ["warehouse", "config"],
  async run({ values, positionals }, output) {
    const question = positionals.join(" ").trim();
    if (question === "") throw new UsageError("The question is missing.");
    const given = forms.filter((each) => values[each] === true);
    if (given.length > 1) throw new UsageError(`Give one of --${given.join(" and --")}.`);
    if (values.chart !== undefined && extname(values.chart) !== ".svg")
      throw new UsageError(`--chart ${values.chart}: the chart is SVG, so give a file such as chart.svg.`);
    const now = toTime(values.now);
    const source = await openDataSource(readSettings(process.env), values.on && resolve(values.on));
    try {
      const organization = await choose(source, values.organization ?? values.org);
      const clock = clockFrom(now ?? source.until ?? systemClock.now());
      const form: Form = given[0] ?? "text";
      await answer(question, { source, organization, clock, form, chart: values.chart, output });
    } finally {
      await source.warehouse.close();
    }
  },
});

function toTime(given: string | undefined): number | null {
  const time = given === undefined ? null : Date.parse(given);
  if (Number.isNaN(time)) throw new UsageError(`--now ${given} is not a time: write it like 2026-11-01T00:00:00Z.`);
  return time;
}

/** The organization that is named, or the one with most calls; says which one where there are others. */
async function choose(source: DataSource, named: string | undefined): Promise<Organization> {
  const { organizations } = source;
  if (named !== undefined) return findOrganization({ organizations: async () => [...organizations] }, named);
  const [first, second] = organizations;
  if (first === undefined) throw new Error("The data are of no organization: npm run keys -- create makes one.");
  if (second === undefined) return first;
  const { rows } = await source.warehouse.query(
    sql`SELECT org_id FROM calls GROUP BY org_id ORDER BY count(*) DESC, org_id`,
  );
  const most = rows.flatMap(({ org_id }) => organizations.find(({ id }) => id === org_id) ?? [])[0] ?? first;
  console.error(`Asked for ${describeOrganization(most)}; --organization names another of ${organizations.length}.`);
  return most;
}

interface Asking {
  readonly source: DataSource;
  readonly organization: Organization;
  readonly clock: Clock;
  readonly form: Form;
  readonly chart: string | undefined;
  readonly output: Output;
}

async function answer(question: string, { source, organization, clock, form, chart, output }: Asking): Promise<void> {
  const outcomes: Outcome["kind"][] = [];
  const planner: Planner = {
    async plan(planning) {
      const planned = await offlinePlanner.plan(planning);
      if (planned.outcome.kind !== "selected") outcomes.push(planned.outcome.kind);
      return planned;
    },
  };
  const { warehouse, dialect } = source;
  const assistant = createAssistant({ warehouse, clock, dialect, planner });
  const { id: orgId, timezone: timeZone } = organization;
  const answered = await assistant.ask({ orgId, timeZone, question });
  const isAnswered = outcomes.every((kind) => kind === "plan" || kind === "explained");
  output.json(answered);
  const { plan } = answered;
  if (!isAnswered || (plan === null && (form === "sql" || form === "csv"))) throw new Error(whyNot(answered));
  if (form === "sql") console.log(answered.sql);
  // Printing ends the last line.
  if (form === "csv" && plan !== null) console.log((await toCsv(assistant, plan, orgId)).slice(0, -1));
  const shown = answerSchema.parse(answered);
  if (form === "text") console.log(toText(shown, timeZone));
  if (chart !== undefined) await draw(shown, chart);
}

/** The reason of no answer, and questions that have one. */
function whyNot({ answer: sentence, clarification, follow_ups }: Answer): string {
  const [title, questions] = clarification?.options.length
    ? ["Did you mean:", clarification.options]
    : ["Questions that have an answer:", follow_ups];
  return [toLine(sentence), ...listed(title, questions)].join("\n");
}

function listed(title: string, questions: readonly string[]): string[] {
  return questions.length === 0 ? [] : ["", title, ...questions.map((each) => `  ${toLine(each)}`)];
}

/** An answer as the page reads it. */
type Shown = ReturnType<typeof answerSchema.parse>;

function toText({ answer: sentence, data, follow_ups }: Shown, zone: string): string {
  const isTable = data.rows.length > 1 || (data.rows.length > 0 && data.columns.length > 1);
  const table = isTable ? ["", toTextTable(data, zone)] : [];
  const cut = data.truncated ? ["", `The first ${data.row_count} rows; --csv has more.`] : [];
  return [toLine(sentence), ...table, ...cut, ...listed("Ask next:", follow_ups)].join("\n");
}

async function toCsv(assistant: Assistant, plan: Plan, orgId: string): Promise<string> {
  const whole = await assistant.rowsOf({ orgId, plan, maxRows: mostRows });
  if (whole.truncated) console.error(`The first ${mostRows} rows; ask for a shorter period for the others.`);
  const { begin, add, end } = csvEncoder(whole.columns.map(({ name }) => ({ name, kind: "text" })));
  return Buffer.concat([begin(), add(whole.rows), end()]).toString();
}

async function draw({ chart_suggestion: suggestion, data }: Shown, file: string): Promise<void> {
  const spec = chartOptions(suggestion, data).find((each) => each.spec !== null)?.spec;
  if (!spec) throw new Error(`No chart suits this answer, so ${file} is not written: its rows say it better.`);
  const { toSvgFile } = await import("../../assistant/web/chart/svg-file.ts").catch((cause: unknown) => {
    throw new Error("Charts are drawn by packages of the page, which npm ci without --omit=dev installs.", { cause });
  });
  writeFileSync(file, await toSvgFile(spec, { rowCount: data.rows.length, widthPx: chartWidthPx }));
  console.error(`Drawn in ${resolve(file)}`);
}
