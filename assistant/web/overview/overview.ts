import * as z from "zod/mini";

const rate = z.nullable(z.number());
const party = { calls: z.number(), revenue: z.number(), conversion_rate: rate };
const dayFigures = z.object({ ...party, payout: z.number(), profit: z.number() });
const ranked = z.array(z.object({ name: z.nullable(z.string()), ...party }));
const bids = z.object({ requests: z.number(), bid_rate: rate, timeouts: z.number(), timeout_rate: rate });
const period = z.object({ from: z.string(), to: z.string() });
const named = z.nullable(z.object({ id: z.string(), name: z.string() }));

const reportsSchema = z.object({
  today: dayFigures,
  yesterday: dayFigures,
  last_week: dayFigures,
  by_hour: z.array(z.object({ hour: z.string(), today: z.nullable(z.number()), last_week: z.nullable(z.number()) })),
  campaigns: ranked,
  publishers: ranked,
  buyers: ranked,
  failures: z.array(z.object({ reason: z.nullable(z.string()), calls: z.number() })),
  bids: z.object({ today: bids, yesterday: bids }),
  deliveries: z.object({ attempts: z.number(), failed: z.number() }),
});

const webhookSchema = z.object({
  id: z.string(),
  name: z.string(),
  delivery_state: z.string(),
  delivery_reason: z.nullable(z.string()),
  failing_since: z.nullable(z.string()),
  paused_at: z.nullable(z.string()),
  paused_until: z.nullable(z.string()),
});

const capSchema = z.object({
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  type: z.string(),
  period: z.nullable(z.string()),
  limit: z.number(),
  used: z.number(),
  reached: z.boolean(),
  resets_at: z.nullable(z.string()),
});

const firstStepsSchema = z.object({
  number: z.nullable(z.object({ id: z.string(), number: z.string() })),
  publisher: named,
  buyer: named,
  target: named,
  routing_plan: named,
  campaign: z.nullable(z.object({ id: z.string(), name: z.string(), outgoing_webhooks: z.array(z.string()) })),
  call: z.nullable(z.object({ call_id: z.string(), status: z.string() })),
  webhook: z.nullable(z.object({ id: z.string(), name: z.string(), is_attached: z.boolean() })),
});

/** The answer of `GET /v1/reports/overview`; rates are from 0 to 1. */
export const overviewSchema = z.object({
  as_of: z.string(),
  timezone: z.string(),
  periods: z.object({ today: period, yesterday: period, last_week: period }),
  live_calls: z.number(),
  reports: z.nullable(reportsSchema),
  loading_since: z.nullable(z.string()),
  webhooks: z.object({ count: z.number(), data: z.array(webhookSchema) }),
  caps: z.object({ count: z.number(), data: z.array(capSchema) }),
  first_steps: z.nullable(firstStepsSchema),
});
export type Overview = z.infer<typeof overviewSchema>;
export type Reports = z.infer<typeof reportsSchema>;
export type Ranked = Reports["campaigns"][number];
export type DayFigures = z.infer<typeof dayFigures>;
export type TroubledWebhook = z.infer<typeof webhookSchema>;
export type UsedCap = z.infer<typeof capSchema>;
export type FirstSteps = z.infer<typeof firstStepsSchema>;
