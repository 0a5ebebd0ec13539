import type { FirstSteps, Overview, Reports } from "../../assistant/web/overview/overview.ts";

const party = { calls: 57, revenue: 1458.25, conversion_rate: 0.4912 };
const day = { ...party, payout: 900.5, profit: 557.75 };
const bids = { requests: 134, bid_rate: 0.552, timeouts: 13, timeout_rate: 0.097 };

const reports: Reports = {
  today: day,
  yesterday: { ...day, calls: 40 },
  last_week: { ...day, calls: 60, conversion_rate: 0.52 },
  by_hour: Array.from({ length: 24 }, (_, hour) => ({
    hour: `${String(hour).padStart(2, "0")}:00`,
    today: hour < 11 ? hour * 2 : null,
    last_week: hour,
  })),
  campaigns: [
    { name: "Medicare Advantage Q4", ...party },
    { name: null, ...party, conversion_rate: null },
  ],
  publishers: [{ name: "Lantern Search Media", ...party }],
  buyers: [{ name: "Keystone Senior Benefits", ...party }],
  failures: [
    { reason: "no_eligible_route", calls: 8 },
    { reason: null, calls: 1 },
  ],
  bids: { today: bids, yesterday: bids },
  deliveries: { attempts: 190, failed: 8 },
};

/** A busy day with something to attend to. */
export const anOverview = (given: Partial<Overview> = {}): Overview => ({
  as_of: "2026-11-09T15:30:00.000Z",
  timezone: "America/New_York",
  periods: {
    today: { from: "2026-11-09T05:00:00.000Z", to: "2026-11-09T15:30:00.000Z" },
    yesterday: { from: "2026-11-08T05:00:00.000Z", to: "2026-11-08T15:30:00.000Z" },
    last_week: { from: "2026-11-02T05:00:00.000Z", to: "2026-11-02T15:30:00.000Z" },
  },
  live_calls: 3,
  reports,
  loading_since: null,
  webhooks: {
    count: 2,
    data: [
      {
        id: "hook-1",
        name: "Report conversions to the ad platform of a very long name",
        delivery_state: "failing",
        delivery_reason: null,
        failing_since: "2026-11-09T15:00:00.000Z",
        paused_at: null,
        paused_until: null,
      },
    ],
  },
  caps: {
    count: 2,
    data: [
      {
        ...{ kind: "target", id: "tgt-1", name: "Sunny Roofs", type: "connected", period: "day" },
        ...{ limit: 10, used: 10, reached: true, resets_at: "2026-11-10T05:00:00.000Z" },
      },
      {
        ...{ kind: "rtb_formula", id: "rtb-1", name: "Bidder", type: "concurrency", period: null },
        ...{ limit: 5, used: 4, reached: false, resets_at: null },
      },
    ],
  },
  first_steps: null,
  ...given,
});

export const withReports = (given: Partial<Reports>): Overview => anOverview({ reports: { ...reports, ...given } });

const nothing = { calls: 0, revenue: 0, conversion_rate: null, payout: 0, profit: 0 };
const noBids = { requests: 0, bid_rate: null, timeouts: 0, timeout_rate: null };

/** That of an organization that has only a number yet. */
export const anEmptyOverview = (): Overview => {
  const known: FirstSteps = {
    ...{ number: { id: "num-1", number: "+18005550142" }, publisher: null, buyer: null, target: null },
    ...{ routing_plan: null, campaign: null, call: null, webhook: null },
  };
  return anOverview({
    live_calls: 0,
    reports: {
      ...{ today: nothing, yesterday: nothing, last_week: nothing },
      by_hour: reports.by_hour.map(({ hour, today }) => ({ hour, today: today === null ? null : 0, last_week: 0 })),
      ...{ campaigns: [], publishers: [], buyers: [], failures: [] },
      bids: { today: noBids, yesterday: noBids },
      deliveries: { attempts: 0, failed: 0 },
    },
    webhooks: { count: 0, data: [] },
    caps: { count: 0, data: [] },
    first_steps: known,
  });
};
