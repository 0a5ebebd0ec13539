import { alternatives, type Filter, type Plan } from "../../../assistant/plan.ts";
import { catalogLexicon } from "../../../assistant/planner/link/lexicon.ts";
import { createNames } from "../../../assistant/planner/link/name-index.ts";
import { planQuestion } from "../../../assistant/planner/offline.ts";
import type { Outcome } from "../../../assistant/planner/outcome.ts";
import { now, zone } from "../example-data.ts";

const lexicon = catalogLexicon();
const own: Readonly<Record<string, readonly string[]>> = {
  campaign: ["Medicare Advantage", "Solar East", "Solar West", "March Madness", "Texas Roofs"],
  publisher: ["Acme Media", "Blue Lake Media", "Red Hill"],
  buyer: ["Acme", "Sunny Group"],
  target: ["Acme", "Best Quote Desk", "Sunny Group Desk East", "Sunny Group Desk West"],
  webhook: ["CRM push"],
  tag: ["utm_source", "utm_medium", "lead type", "language"],
  "tag:utm_medium": ["cpc", "email"],
  "tag:utm_source": ["google", "bing"],
  "tag:language": ["en", "es"],
};
const names = createNames(
  Object.entries(own).flatMap(([field, values]) => values.map((value) => ({ field, value }))),
  lexicon,
);
export const plan = (text: string, previous?: Plan): Outcome =>
  planQuestion({ text, previous }, { lexicon, names, now, zone });

/** Of an organization that has these campaigns and no other names. */
export function planNamed(campaigns: readonly string[], text: string): Outcome {
  const known = createNames(
    campaigns.map((value) => ({ field: "campaign", value })),
    lexicon,
  );
  return planQuestion({ text }, { lexicon, names: known, now, zone });
}

/** The outcome of the last of several questions, each read after the one before. */
export function planChain(...questions: readonly string[]): Outcome {
  let last: Outcome | undefined;
  for (const text of questions) last = plan(text, last?.kind === "plan" ? last.plan : undefined);
  if (last === undefined) throw new Error("A chain has a question.");
  return last;
}

/** The plan as one line: "calls: revenue by campaign | state is TX | last month | revenue desc 5". */
export function toLine(outcome: Outcome): string {
  if (outcome.kind !== "plan") return `${outcome.kind}: ${outcome.sentence}`;
  const {
    subject,
    measures,
    dimensions,
    grain,
    filters,
    having,
    portion,
    period,
    compare,
    order,
    limit,
    columns,
    over_groups: over,
  } = outcome.plan;
  const groups = [...(grain === null ? [] : [grain]), ...dimensions];
  const said = (filter: Filter) =>
    alternatives(filter)
      .map(({ field, op, values }) => `${field} ${op} ${values.join("/")}`)
      .join(" or ");
  const conditions = [...filters, ...having].map(said);
  const part = portion.map((filter) => `of those ${said(filter)}`);
  return [
    `${subject}: ${columns.length > 0 ? "list" : measures.join("+")}${groups.length > 0 ? ` by ${groups.join("+")}` : ""}`,
    ...(over.length === 0 ? [] : [`${over.join("+")} of groups`]),
    ...conditions,
    ...part,
    ...(period === null ? [] : [period.label]),
    ...(compare === null ? [] : [`against ${compare.label}`]),
    ...(order === null && limit === null
      ? []
      : [[order?.by, order?.direction, limit].filter((part) => part != null).join(" ")]),
    ...(order?.only ? ["those alone"] : []),
    ...(order?.skip === undefined ? [] : [`behind ${order.skip}`]),
    ...(outcome.plan.running_over === null ? [] : [`mean of ${outcome.plan.running_over}`]),
  ].join(" | ");
}
