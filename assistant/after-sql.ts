import { emptyPlan } from "./empty-plan.ts";
import type { Plan } from "./plan.ts";
import { understand } from "./planner/correct-typos.ts";
import { barred } from "./planner/decline/out-of-reach.ts";
import type { Linking } from "./planner/link/name-index.ts";
import { leansOn, planQuestion } from "./planner/offline.ts";
import type { Outcome } from "./planner/outcome.ts";
import { toWords } from "./planner/words/tokenize.ts";

/** A plan that no question has by itself: a question that means something else after it follows what came before. */
const unlikely: Omit<Plan, "zone"> = {
  ...emptyPlan,
  measures: ["revenue"],
  dimensions: ["buyer"],
  period: { from: "2001-02-03T00:00:00.000Z", to: "2001-02-05T00:00:00.000Z", label: "2001-02-03 to 2001-02-04" },
};

/** True for a question that refers to the answer before it, whatever that was. */
export const followsAnything = (text: string, linking: Linking): boolean =>
  leansOn(text, { ...unlikely, zone: linking.zone }, linking) || isChangeOfAnswer(text, linking);

/** "Remove the Texas filter": by itself a command that is refused, after an answer a change of it. */
function isChangeOfAnswer(text: string, linking: Linking): boolean {
  const words = toWords(text);
  const { items } = understand(words, linking);
  return barred({ words, items }) !== undefined && barred({ words, items, follows: true }) === undefined;
}

/** The rules' reading of a question after an answer by SQL: a question of its own, or that rules cannot change SQL. */
export const planAfterSql = (text: string, linking: Linking): Outcome =>
  followsAnything(text, linking) ? { kind: "refused", sentence: cannotChange } : planQuestion({ text }, linking);

const cannotChange =
  "The answer before was SQL that a language model wrote, and I cannot change SQL by rules. Ask the whole question, or edit the SQL under that answer and run it.";
