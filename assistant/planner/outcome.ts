import type { Plan } from "../plan.ts";

/** How a note begins that tells of a remark. */
export const leftOutBy = "I left out";

export type Outcome =
  | { readonly kind: "plan"; readonly plan: Plan; readonly notes: readonly string[] }
  /** How a figure or a group of the catalog is defined, or what can be asked; with questions that go on from there. */
  | { readonly kind: "explained"; readonly sentence: string; readonly options: readonly string[] }
  /** Why there is no answer. */
  | { readonly kind: "refused"; readonly sentence: string }
  | { readonly kind: "clarify"; readonly sentence: string; readonly options: readonly string[] };

/** Why a question has no answer yet, and questions to choose from. */
export interface Problem {
  readonly sentence: string;
  readonly options: readonly string[];
}

export type Planned = Extract<Outcome, { kind: "plan" }>;
