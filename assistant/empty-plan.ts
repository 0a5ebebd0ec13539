import type { Plan } from "./plan.ts";

/** A plan of calls that shows nothing yet. Beside the schema, as the page would else load that with all of zod. */
export const emptyPlan: Omit<Plan, "zone" | "period"> = {
  subject: "calls",
  measures: [],
  dimensions: [],
  grain: null,
  filters: [],
  having: [],
  compare: null,
  order: null,
  limit: null,
  limit_per: null,
  columns: [],
  share: false,
  portion: [],
  running: null,
  running_over: null,
  average_per: null,
  over_groups: [],
  chart: null,
};
