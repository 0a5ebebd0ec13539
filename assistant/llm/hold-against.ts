import { describePlan } from "../phrasing/explain.ts";
import { listOf } from "../phrasing/figure.ts";
import type { Outcome } from "../planner/outcome.ts";
import type { Planned, Planning } from "../planning.ts";
import { lineageIn } from "../sql/lineage.ts";
import { differences } from "./both-readings.ts";
import { forgotten, type Written } from "./forgotten.ts";

/** A fault of an answer that can be given all the same. */
export interface Complaint {
  /** The fault in words for the model; null where they may not be sent to it. */
  readonly fault: string | null;
  /** The sentence of the answer where the model does not mend it. */
  readonly remark: string;
}

const quoted = (words: readonly string[]): string => listOf(words.map((each) => `“${each}”`));

/** Lists the words of the question that a model's plan or SQL leaves out, and days that are not the organization's. */
export function complaintsOf(planning: Planning, written: Written): readonly Complaint[] {
  const lost = forgotten(planning, written);
  const said = planning.text.toLowerCase();
  // A corrected word may be one of the organization's names, which are not always sent.
  const sent = lost.filter((words) => said.includes(words.toLowerCase()));
  const fault =
    sent.length === 0
      ? null
      : `The question says ${quoted(sent)}, which your answer does not bear. Add it as a condition, a period or a number, or ask back.`;
  const isLost = lost.length > 0;
  return [
    ...(isLost ? [{ fault, remark: `The answer does not use ${quoted(lost)} of the question.` }] : []),
    ...(written.kind === "sql" ? utcDays(written.sql, planning.linking.zone) : []),
  ];
}

function utcDays(sql: string, zone: string): readonly Complaint[] {
  if (zone === "UTC" || !lineageIn(sql).hasUtcBucket) return [];
  const fault = `Its days, weeks or months begin at midnight of UTC; take those of ${zone} by \`local_time_in_sql\`.`;
  return [{ fault, remark: `Its days, weeks or months are of UTC, not of ${zone}.` }];
}

const unchecked = "The built-in rules have no reading of the question to hold its SQL against.";

/** Returns what the answer adds: the rules' reading where it differs from the model's, and the complaints that are left. */
export function holdAgainst(
  outcome: Planned["outcome"],
  complaints: readonly Complaint[],
  candidate: Outcome,
): Pick<Planned, "otherReading" | "remarks"> {
  const remarks = complaints.map(({ remark }) => remark);
  if (candidate.kind !== "plan") return { remarks: outcome.kind === "selected" ? [...remarks, unchecked] : remarks };
  const { plan } = candidate;
  const found = outcome.kind === "plan" ? differences(outcome.plan, plan) : [];
  if (outcome.kind === "plan" && found.length === 0) return { remarks };
  const otherwise = found.length === 0 ? "" : `The language model ${listOf(found)}. `;
  const remark = `${otherwise}The built-in rules read the question as “${describePlan(plan)}”.`;
  return { otherReading: { plan, differences: found }, remarks: [...remarks, remark] };
}
