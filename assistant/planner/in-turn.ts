import { isDeepStrictEqual } from "node:util";
import type { Plan } from "../plan.ts";
import type { Linking } from "./link/linking.ts";
import { planQuestion } from "./offline.ts";

/** The plan that the questions of one conversation come to, each read after the one before; null where to none. */
export function planInTurn(questions: readonly string[], linking: Linking): Plan | null {
  let previous: Plan | undefined;
  for (const text of questions) {
    const outcome = planQuestion({ text, previous }, linking);
    if (outcome.kind === "plan") previous = outcome.plan;
  }
  return previous ?? null;
}

/** Whether the plan before gives a question another meaning than it has alone. */
export function leansOn(text: string, previous: Plan | undefined, linking: Linking): boolean {
  const [alone, after] = [planQuestion({ text }, linking), planQuestion({ text, previous }, linking)];
  if (alone.kind !== "plan" || after.kind !== "plan") return after.kind === "plan";
  return !isDeepStrictEqual(alone.plan, after.plan);
}
