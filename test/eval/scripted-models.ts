import { addUnits, startOf, toLocal } from "../../assistant/calendar.ts";
import type { Message, Model } from "../../assistant/llm/model.ts";
import type { Period, Plan } from "../../assistant/plan.ts";
import { isoTime } from "../../ingest/clock.ts";
import { evalZone } from "./data.ts";
import type { Judged } from "./evaluate.ts";
import type { Case } from "./question-set.ts";

/** What a model is told of a question, as far as scripts read it. */
interface Told {
  readonly question: string;
  readonly candidate?: Pick<Plan, "subject" | "zone"> & Partial<Plan>;
}

/** What a scripted model did on purpose: nothing, or leave a condition out, or take another period. */
export type Slip = "none" | "condition" | "period";

/** What a scripted model did on purpose with a question. */
export interface Slipped {
  readonly question: string;
  readonly slip: Slip;
}

interface Scripted {
  readonly model: Model;
  /** One for each question that it was asked, in their order. */
  readonly slips: readonly Slipped[];
}

/** The answers that the model was careless in; of answers and slips in the order in which they were asked. */
export function carelessAnswers(
  answers: readonly Judged[],
  slips: readonly Slipped[],
): readonly (Judged & { readonly slip: Slip })[] {
  let next = 0;
  return answers.flatMap((judged) => {
    // The model is not asked what the rules refuse.
    if (judged.answer.usage === undefined) return [];
    // Turns that only lead to others are asked and not judged.
    while (next < slips.length && slips[next]?.question !== judged.asked.at(-1)) next++;
    const slip = slips[next++]?.slip ?? "none";
    return slip === "none" ? [] : [{ ...judged, slip }];
  });
}

/**
 * A model that answers right: by the rules' plan where they have one, else by the question's hand-written SQL. It
 * answers questions without either with "none".
 */
export const perfectModel = (cases: readonly Case[]): Scripted => scripted(cases, () => "none");

/**
 * A model that leaves a condition out of every third answer, and takes another period in every third. It answers the
 * same when it is told of it. Where an answer has no condition it takes another period, and the other way round.
 */
export const carelessModel = (cases: readonly Case[]): Scripted =>
  scripted(cases, (index) => (["condition", "period", "none"] as const)[index % 3] ?? "none");

function scripted(cases: readonly Case[], slipOf: (index: number) => Slip): Scripted {
  const golds = new Map(cases.flatMap(goldsOf));
  /** The same question has the same slip wherever it is asked. */
  const places = new Map<string, number>();
  const slips: Slipped[] = [];
  let reply: unknown;
  return {
    slips,
    model: {
      async complete(messages) {
        // A reply that was sent back is given again.
        if (messages.at(-2)?.role !== "assistant") {
          const told = toldIn(messages);
          const index = places.get(told.question) ?? places.size;
          places.set(told.question, index);
          const careless = slipped(honest(told, golds.get(told.question)), slipOf(index));
          slips.push({ question: told.question, slip: careless.slip });
          reply = toReply(careless.written);
        }
        return { reply, usage: { input_tokens: lettersOf(messages) / 4, output_tokens: lettersOf(reply) / 4 } };
      },
    },
  };
}

const lettersOf = (value: unknown): number => Math.ceil((JSON.stringify(value) ?? "").length / 4) * 4;

const goldsOf = (each: Case): readonly (readonly [string, string])[] =>
  ("turns" in each ? each.turns : [each]).flatMap((turn) =>
    "gold" in turn ? [[turn.ask, turn.gold[0] ?? ""] as const] : [],
  );

const toldIn = (messages: readonly Message[]): Told =>
  JSON.parse(messages.find(({ role }) => role === "user")?.content ?? "{}");

type Written = { readonly plan: Plan } | { readonly sql: string } | null;

/** What a plan is sent without. */
const openPlan = {
  ...{ measures: [], dimensions: [], grain: null, filters: [], having: [], period: null, compare: null, order: null },
  ...{ limit: null, limit_per: null, columns: [], share: false, portion: [], running: null, average_per: null },
  ...{ over_groups: [], running_over: null, chart: null },
} as const;

const honest = ({ candidate }: Told, gold: string | undefined): Written =>
  candidate !== undefined ? { plan: { ...openPlan, ...candidate } } : gold === undefined ? null : { sql: gold };

function toReply(written: Written): unknown {
  if (written === null) return { kind: "none", reading: "The data do not say." };
  if ("sql" in written) return { kind: "sql", reading: "As the question says.", sql: overUtc(written.sql) };
  const { zone: _, ...plan } = written.plan;
  const form = { ...plan, period: toLocalPeriod(plan.period), compare: toLocalPeriod(plan.compare) };
  return { kind: "plan", reading: "As the question says.", plan: form };
}

const toLocalPeriod = (period: Period | null) => {
  if (period === null) return null;
  const local = (at: string) => new Date(toLocal(Date.parse(at), evalZone)).toISOString().slice(0, 16);
  return { ...period, from: period.from === null ? null : local(period.from), to: local(period.to) };
};

/** Hand-written SQL knows the zone's clock, the public tables have the time in UTC. */
const overUtc = (gold: string): string =>
  gold.replaceAll(
    /\blocal_time\b/g,
    `timezone('${evalZone}', timezone('UTC', ${gold.includes("FROM calls") ? "started_at" : "created_at"}))`,
  );

function slipped(written: Written, wanted: Slip): { readonly written: Written; readonly slip: Slip } {
  if (written === null || wanted === "none") return { written, slip: "none" };
  const other = wanted === "condition" ? "period" : "condition";
  for (const slip of [wanted, other] as const) {
    const changed = "plan" in written ? slipInPlan(written.plan, slip) : slipInSql(written.sql, slip);
    if (changed !== null) return { written: changed, slip };
  }
  return { written, slip: "none" };
}

function slipInPlan(plan: Plan, slip: Slip): Written {
  if (slip === "period") return plan.period === null ? null : { plan: { ...plan, period: earlier(plan.period) } };
  if (plan.filters.length > 0) return { plan: { ...plan, filters: plan.filters.slice(1) } };
  return plan.having.length > 0 ? { plan: { ...plan, having: plan.having.slice(1) } } : null;
}

/** A month earlier. */
function earlier({ from, to, label }: Period): Period {
  const moved = (at: string): string => {
    const ms = Date.parse(at);
    const month = startOf("month", ms);
    return isoTime(addUnits("month", month, -1) + (ms - month));
  };
  return { from: from === null ? null : moved(from), to: moved(to), label: `${label}, as I see it` };
}

export function slipInSql(sql: string, slip: Slip): { readonly sql: string } | null {
  const changed = slip === "period" ? earlierDates(sql) : withoutCondition(sql);
  return changed === sql ? null : { sql: changed };
}

const earlierDates = (sql: string): string =>
  sql.replaceAll(/'(\d{4})-(\d\d)-(\d\d)/g, (_all, year: string, month: string, day: string) => {
    const lastDay = new Date(Date.UTC(Number(year), Number(month) - 1, 0));
    const before = new Date(lastDay).setUTCDate(Math.min(Number(day), lastDay.getUTCDate()));
    return `'${new Date(before).toISOString().slice(0, 10)}`;
  });

/** Without its first condition on a value; those that make a measure what it is stay. */
function withoutCondition(sql: string): string {
  const [, before = "", where = "", after = ""] =
    /^(.*?(?<!FILTER \()\bWHERE )(.*?)((?: GROUP BY| ORDER BY| LIMIT| HAVING|\)).*)?$/.exec(sql) ?? [];
  const conditions = where.split(/(?<!BETWEEN \S+) AND /);
  const at = conditions.findIndex(
    (each) => /['\d]|^(NOT )?\w+$/.test(each) && !/local_time|BETWEEN|\(|\bOR\b|^true$/i.test(each),
  );
  if (at < 0) return sql;
  const left = conditions.filter((_, index) => index !== at);
  return `${before}${left.length === 0 ? "true" : left.join(" AND ")}${after}`;
}
