import { z } from "zod";

export const subjectNames = [
  "calls",
  "outgoing_webhook_requests",
  "incoming_webhook_requests",
  "inbound_rtb_requests",
  "outbound_rtb_requests",
  "audit_logs",
] as const;
export type SubjectName = (typeof subjectNames)[number];

/** Buckets of time that follow one another, and the two that recur. */
export const runningGrains = ["hour", "day", "week", "month", "quarter", "year"] as const;
export const recurringGrains = ["hour_of_day", "day_of_week"] as const;
export const grains = [...runningGrains, ...recurringGrains] as const;
export type RunningGrain = (typeof runningGrains)[number];
export type RecurringGrain = (typeof recurringGrains)[number];
export type Grain = (typeof grains)[number];
export const isRecurring = (name: string): name is RecurringGrain =>
  (recurringGrains as readonly string[]).includes(name);

const name = z.string().min(1).max(80);

/** Half-open, UTC. `from` is null for "everything before". */
export const periodSchema = z.object({
  from: z.iso.datetime().nullable(),
  to: z.iso.datetime(),
  /** As a person says it: "last month", "October 2026". */
  label: z.string().max(120),
});
export type Period = z.infer<typeof periodSchema>;

export const filterOps = ["is", "is_not", "more_than", "at_least", "less_than", "at_most"] as const;
export type FilterOp = (typeof filterOps)[number];

/** `is` and `is_not` take several values ("one of", "none of"); the comparators take one number. */
export const filterSchema = z.object({
  field: name,
  op: z.enum(filterOps),
  values: z
    .array(z.union([z.string().max(1024), z.number(), z.boolean()]))
    .min(1)
    .max(50),
});
export type Filter = z.infer<typeof filterSchema>;

/**
 * A question, understood: everything that decides the SQL and nothing else. Field names are the catalog's; both
 * planners make plans, one compiler per engine reads them.
 */
export const planSchema = z.object({
  subject: z.enum(subjectNames),
  /** Empty in a listing, which has `columns` instead. */
  measures: z.array(name).max(5),
  /** Dimensions of the catalog, `tag:<key>`, or a recurring grain that crosses `grain`. */
  dimensions: z.array(name).max(2),
  grain: z.enum(grains).nullable(),
  filters: z.array(filterSchema).max(20),
  /** Conditions on measures, per group. */
  having: z.array(filterSchema).max(5),
  /** null: all data. */
  period: periodSchema.nullable(),
  /** The zone of the buckets and of the period's words. */
  zone: z.string().max(64),
  /** The period that the first one is compared with. */
  compare: periodSchema.nullable(),
  /** `by` is one of the measures; in a listing, a number of each row or its time. null: the natural order. */
  order: z.object({ by: name, direction: z.enum(["asc", "desc"]) }).nullable(),
  limit: z.number().int().min(1).max(1000).nullable(),
  columns: z.array(name).max(20),
  /** Beside each measure, the part of its total that a group has. */
  share: z.boolean().default(false),
});
export type Plan = z.infer<typeof planSchema>;
