import { z } from "zod";
import { grains, runningGrains } from "./grains.ts";

export {
  type Grain,
  grains,
  isGrain,
  isRecurring,
  type RecurringGrain,
  type RunningGrain,
  recurringGrains,
  runningGrains,
} from "./grains.ts";

export const subjectNames = [
  "calls",
  "outgoing_webhook_requests",
  "incoming_webhook_requests",
  "inbound_rtb_requests",
  "outbound_rtb_requests",
  "audit_logs",
] as const;
export type SubjectName = (typeof subjectNames)[number];

const name = z.string().min(1).max(80);

/** Half-open, UTC. `from` is null for "everything before". */
const periodSchema = z.object({
  from: z.iso.datetime().nullable(),
  to: z.iso.datetime(),
  /** The period in words: "last month", "October 2026". */
  label: z.string().max(120),
});
export type Period = z.infer<typeof periodSchema>;

/** The times that questions are about; rows of other years do not extend a series. */
export const reach = {
  from: "2000-01-01T00:00:00.000Z",
  to: "2100-01-01T00:00:00.000Z",
  label: "2000 to 2099",
} as const;

export const filterOps = [
  ...(["is", "is_not", "contains", "not_contains", "empty", "not_empty"] as const),
  ...(["more_than", "at_least", "less_than", "at_most"] as const),
] as const;
export type FilterOp = (typeof filterOps)[number];

/**
 * `is`, `is_not`, `contains` and `not_contains` take several values ("one of", "none of"), `empty` and `not_empty`
 * none; the comparators take one number.
 */
const conditionSchema = z.object({
  field: name,
  op: z.enum(filterOps),
  values: z.array(z.union([z.string().max(1024), z.number(), z.boolean()])).max(50),
});
const filterSchema = conditionSchema.extend({
  /** Other conditions: it is enough that one of all these holds ("failed or shorter than 10 seconds"). */
  or: z.array(conditionSchema).min(1).max(5).optional(),
});
export type Filter = z.infer<typeof filterSchema>;

/** A condition as it stands alone, and those that will do in its place. */
export const alternatives = ({ or = [], ...first }: Filter): readonly Filter[] => [first, ...or];

export const chartTypes = ["number", "line", "area", "bar", "heat_map", "scatter", "pie", "table"] as const;
export type ChartType = (typeof chartTypes)[number];

/** Figures over all groups together; `share` is the percentage that those of a ranking have of the whole. */
export const overGroups = ["count", "average", "least", "most", "total", "share"] as const;
export type OverGroups = (typeof overGroups)[number];

/** The figures that a report has side by side, such as calls, revenue, payout, profit and the rates of each. */
export const mostMeasures = 10;

/**
 * The plan of a question: everything that decides the SQL and nothing else. Field names are the catalog's; both
 * planners make plans, and one compiler per engine reads them.
 */
export const planSchema = z
  .object({
    subject: z.enum(subjectNames),
    /** Empty in a listing, which has `columns` instead. */
    measures: z.array(name).max(mostMeasures),
    /** Dimensions of the catalog, `tag:<key>`, or a recurring grain that crosses `grain`. */
    dimensions: z.array(name).max(3),
    grain: z.enum(grains).nullable(),
    filters: z.array(filterSchema).max(20),
    /** Conditions on measures, per group. */
    having: z.array(filterSchema).max(5),
    /** Null for all data. */
    period: periodSchema.nullable(),
    /** The zone of the buckets and of the period's words. */
    zone: z.string().max(64),
    /** The period that the first one is compared with. */
    compare: periodSchema.nullable(),
    /** `by` is one of the measures; in a listing, a number of each row or its time. null: the natural order. */
    order: z
      .object({
        by: name,
        direction: z.enum(["asc", "desc"]),
        /** Ranks by the difference of the measure between two periods. */
        of: z.literal("difference").optional(),
        /** With `of`: shows only the groups whose figure moved in that direction ("which campaigns are down"). */
        only: z.literal(true).optional(),
        /** The number of groups before the first that is shown: 1 for "the second best". */
        skip: z.number().int().min(1).max(99).optional(),
      })
      .nullable(),
    limit: z.number().int().min(1).max(1000).nullable(),
    /**
     * A dimension or the grain: `limit` counts for each of its values ("top 3 publishers per campaign"). null with
     * several groupings: `limit` counts values of the first dimension, by their figure over the whole period.
     */
    limit_per: name.nullable().default(null),
    columns: z.array(name).max(20),
    /** Adds to each measure a group's share of its total. */
    share: z.boolean().default(false),
    /** Adds to each measure the percentage of it under these conditions ("what percentage came from Texas"). */
    portion: z.array(filterSchema).max(20).default([]),
    /** Adds to each measure of a series its running total, its change from the bucket before, or its moving average. */
    running: z.enum(["total", "change", "average"]).nullable().default(null),
    /** The number of buckets of a moving average, the bucket's own included. */
    running_over: z.number().int().min(2).max(366).nullable().default(null),
    /** Divides each measure by the number of these units in its period or bucket ("calls per day"). */
    average_per: z.enum(runningGrains).nullable().default(null),
    /**
     * In place of a row for each group, one row over all of them: how many there are, and the mean, least and most of
     * each measure among them ("how many publishers had over 100 calls", "the average, least and most calls per day").
     * With `limit` over the first few ("what percentage of revenue came from the top 3 publishers").
     */
    over_groups: z.array(z.enum(overGroups)).max(4).default([]),
    /** The requested chart; null for the one that suits. */
    chart: z.enum(chartTypes).nullable().default(null),
  })
  .meta({ id: "Plan" });
export type Plan = z.infer<typeof planSchema>;
