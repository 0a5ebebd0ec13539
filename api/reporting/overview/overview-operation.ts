import { z } from "zod";
import type { Assistant } from "../../../assistant/assistant.ts";
import { isoDate, toLocal } from "../../../assistant/calendar.ts";
import { type Clock, isoTime } from "../../../ingest/clock.ts";
import { timestamp } from "../../../ingest/primitives.ts";
import type { LoadingLag } from "../../../warehouse/loading-lag.ts";
import { WarehouseError } from "../../../warehouse/warehouse.ts";
import { deliveryStates, pauseReasons } from "../../config/delivery-state.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import { holderKinds } from "../../routing/call-stats/call-record.ts";
import { type CallStats, measures } from "../../routing/call-stats.ts";
import { capPeriods } from "../../routing/caps.ts";
import { refuseQuery } from "../../serve/cursor-pages.ts";
import { notFound } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { createReadCache } from "../../serve/read-cache.ts";
import { count, rate } from "../rtb-stats.ts";
import { createDayReports, freshMs, spansOf } from "./day-reports.ts";
import { countLiveCalls, findFirstSteps, findTroubledWebhooks, findUsedCaps } from "./live-state.ts";

export interface OverviewDeps {
  readonly assistant: Pick<Assistant, "rowsOf">;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly counts: { readonly statsOf: (orgId: string) => CallStats };
  readonly loadingLag: LoadingLag;
  readonly clock: Clock;
}

const dollars = z.number().describe("Dollars.");
const party = { calls: count, revenue: dollars, conversion_rate: rate };
const dayFigures = z.object({ ...party, payout: dollars, profit: dollars });
const ranked = z
  .array(z.object({ name: z.string().nullable(), ...party }))
  .describe("The five of the most revenue today; a null name: calls without one.");
const bids = z.object({
  requests: count.describe("Requests to buyers; formulas that were skipped are left out."),
  bids: count,
  bid_rate: rate,
  timeouts: count,
  timeout_rate: rate,
});
const partOf = (which: string) => dayFigures.describe(`${which} to the same time of day.`);

const query = z.object({
  day: z.iso
    .date()
    .optional()
    .describe(
      "A day that is over, such as 2026-11-26, in place of today: the reports are of the whole of it, of the day before it and of the same weekday a week before. What is live and what needs attention is of now all the same.",
    ),
});

const reports = z.object({
  today: dayFigures,
  yesterday: partOf("Yesterday"),
  last_week: partOf("The same weekday a week ago"),
  by_hour: z
    .array(z.object({ hour: z.string().describe("14:00"), today: count.nullable(), last_week: count.nullable() }))
    .describe("Calls by hour of the organization's clock: today until now, and all of the same weekday a week ago."),
  campaigns: ranked,
  publishers: ranked,
  buyers: ranked,
  failures: z
    .array(z.object({ reason: z.string().nullable(), calls: count }))
    .describe("Today's calls that no target answered, by reason, the most frequent first."),
  bids: z.object({ today: bids, yesterday: bids.describe("To the same time of day.") }),
  deliveries: z.object({ attempts: count, failed: count }).describe("Today's attempts at outgoing webhooks."),
});

const usedCap = z.object({
  kind: z.enum(holderKinds),
  id: z.string(),
  name: z.string(),
  type: z.enum([...measures, "concurrency"]),
  period: z.enum(capPeriods).nullable().describe("null: calls at the same time."),
  limit: z.number(),
  used: z.number(),
  reached: z.boolean().describe("Whether calls are refused for it now."),
  resets_at: timestamp.nullable(),
});

const troubledWebhook = z.object({
  id: z.string(),
  name: z.string(),
  delivery_state: z.enum(deliveryStates),
  delivery_reason: z.enum(pauseReasons).nullable(),
  failing_since: timestamp.nullable(),
  next_probe_at: timestamp.nullable(),
  paused_at: timestamp.nullable(),
  paused_until: timestamp.nullable(),
});

const named = z.object({ id: z.string(), name: z.string() }).nullable();
const period = z.object({ from: timestamp, to: timestamp });

const answer = z.object({
  as_of: timestamp,
  timezone: z.string().describe("The organization's, in which days begin."),
  periods: z.object({ today: period, yesterday: period, last_week: period }),
  live_calls: count.describe("Calls of campaigns that have not ended."),
  reports: reports.nullable().describe("null: the warehouse cannot be read now, or there is none."),
  loading_since: timestamp
    .nullable()
    .describe("Since when calls and other records came in that the reports do not have yet; null: they have all."),
  webhooks: z
    .object({ count, data: z.array(troubledWebhook) })
    .describe("Of all outgoing webhooks, those that fail or are paused."),
  caps: z
    .object({ count, data: z.array(usedCap) })
    .describe("Caps and limits of concurrency of which four fifths or more are used, the ten most used ones."),
  first_steps: z
    .object({
      number: z.object({ id: z.string(), number: z.string() }).nullable(),
      publisher: named,
      buyer: named,
      target: named,
      routing_plan: named,
      campaign: z
        .object({ id: z.string(), name: z.string(), outgoing_webhooks: z.array(z.string()) })
        .nullable()
        .describe("One that is active, has a number and routes its calls."),
      call: z.object({ call_id: z.string(), status: z.string() }).nullable().describe("The newest call."),
      webhook: z
        .object({ id: z.string(), name: z.string(), is_attached: z.boolean() })
        .nullable()
        .describe("An outgoing one; attached where a campaign or a target names it."),
    })
    .nullable()
    .describe("What an organization without a call before today has for its first one; null for others."),
});

/** The organization's day at a glance. */
export function overviewOperation({ assistant, snapshot, counts, loadingLag, clock }: OverviewDeps): Operation {
  const cache = createReadCache(clock);
  const readReports = createDayReports({ assistant, clock, cache });
  return defineOperation({
    path: "/api/v1/reports/overview",
    access: "api_key",
    method: "get",
    tag: "Reports",
    limit: "api",
    status: 200,
    name: "getOverview",
    summary: "The day until now against yesterday and last week, with what is live and what needs attention",
    query,
    answer,
    errors: [404],
    async handle({ caller: { orgId }, query: { day } }): Promise<z.input<typeof answer>> {
      const config = snapshot.config(orgId);
      if (config === undefined) throw notFound("The organization");
      const { timezone } = config.organization;
      const over = dayOver(day, isoDate(toLocal(clock.now(), timezone)));
      const [read, loadingSince] = await Promise.all([
        readReports(orgId, timezone, over).catch(unlessAway),
        loadingLag(),
      ]);
      const now = clock.now();
      const live = () => ({ config, stats: counts.statsOf(orgId), now });
      // Walks the organization's whole configuration.
      const state = await cache(`${orgId} state`, freshMs.now, async () => toState(live()));
      const firstSteps = () => cache(`${orgId} steps`, freshMs.now, async () => findFirstSteps(live()));
      const { today, yesterday, lastWeek } = spansOf(now, timezone, over);
      return {
        as_of: isoTime(now),
        timezone,
        periods: { today: bounds(today), yesterday: bounds(yesterday), last_week: bounds(lastWeek) },
        ...state,
        reports: read?.reports ?? null,
        loading_since: loadingSince === null ? null : isoTime(loadingSince),
        first_steps: read?.firstCall === undefined ? null : { ...(await firstSteps()), call: read.firstCall },
      };
    },
  });
}

/** No call is older. */
const firstDay = "1970-01-01";

/** The day that is asked for; null for today. Throws 422 for one that has not begun, or is before any call. */
function dayOver(day: string | undefined, today: string): string | null {
  if (day !== undefined && day > today) throw refuseQuery("day", "has not begun yet on the organization's clocks");
  if (day !== undefined && day < firstDay) throw refuseQuery("day", `is before ${firstDay}`);
  return day === undefined || day === today ? null : day;
}

const toState = (live: Parameters<typeof findUsedCaps>[0]) => ({
  live_calls: countLiveCalls(live),
  webhooks: findTroubledWebhooks(live),
  caps: findUsedCaps(live),
});

type Read = Awaited<ReturnType<ReturnType<typeof createDayReports>>>;

/** Returns null for a warehouse that does not answer: the overview then has only what needs none. */
function unlessAway(error: unknown): Read | null {
  if (error instanceof WarehouseError && error.code !== "query_invalid") return null;
  throw error;
}

const bounds = ({ from, to }: z.infer<typeof period>) => ({ from, to });
