import { raw, type Statement } from "../../warehouse/statement.ts";
import { recurringLabels } from "../calendar.ts";
import { type Grain, isRecurring, type RecurringGrain } from "../plan.ts";

/** Units of time whose labels are names, which have an order of their own. */
export const isNamed = (grain: Grain): grain is Exclude<RecurringGrain, "hour_of_day"> =>
  isRecurring(grain) && grain !== "hour_of_day";

/** The labels in their order, as a list that both engines read; they are ours, so none has a quote in it. */
export const labelsOf = (grain: Grain): Statement =>
  raw(`[${(isRecurring(grain) ? recurringLabels[grain] : []).map((label) => `'${label}'`).join(", ")}]`);
