import type { ConfigDocument } from "../config/registry.ts";
import { compileFilters } from "./filters.ts";
import { compileRules } from "./payout.ts";
import { compileCriteria } from "./rtb/criteria.ts";

/** Compiles what decisions ask of a document, when it comes into memory: no call and no ping waits for that. */
export function prepareForDecisions({ type, doc }: ConfigDocument): void {
  if ((type === "target" || type === "rtb_formula") && doc.filters !== undefined) compileFilters(doc.filters);
  if (type === "rtb_formula") for (const step of doc.steps) compileCriteria(step.target_selection_criteria);
  if (type === "campaign") compileRules(doc.ivr_payout_rules);
}
