import type { Assistant } from "../../../assistant/assistant.ts";
import { addUnits, dayMs, isoDate, startOf, toInstant, toLocal } from "../../../assistant/calendar.ts";
import { emptyPlan } from "../../../assistant/empty-plan.ts";
import type { Period, Plan } from "../../../assistant/plan.ts";
import { type Clock, isoTime } from "../../../ingest/clock.ts";
import type { Row, Value } from "../../../warehouse/warehouse.ts";
import type { ReadCache } from "../../serve/read-cache.ts";

export interface DayReportDeps {
  readonly assistant: Pick<Assistant, "rowsOf">;
  readonly clock: Clock;
  readonly cache: ReadCache;
}

/** The time for which each part is cached, in milliseconds. */
export const freshMs = { now: 1000, day: 5000, past: 600_000 } as const;
const mostListed = 5;
const mostReasons = 8;

const figures = ["calls", "revenue", "payout", "profit", "conversion_rate"];
const perParty = ["calls", "revenue", "conversion_rate"];

/**
 * The reports of an organization's day, today or one that is over, from plans as questions have them; each part is kept for
 * a moment. `firstCall` is the newest call of an organization that had none before today: null while it has none at all,
 * undefined for others, and of a day that is over.
 */
export function createDayReports({ assistant, clock, cache }: DayReportDeps) {
  return async (orgId: string, zone: string, over: string | null) => {
    const spans = spansOf(clock.now(), zone, over);
    const reader = createReader(spans, async (part) => {
      const plan: Plan = { ...emptyPlan, zone, ...part };
      return (await assistant.rowsOf({ orgId, plan, maxRows: 100 })).rows;
    });
    const recent = <T extends object>(name: string, ttl: number, read: () => Promise<T>): Promise<T> =>
      cache(`${orgId} ${zone} ${spans.date} ${name}`, ttl, read);
    const [now, day, past] = await Promise.all([
      recent("now", freshMs.now, reader.now),
      recent("day", freshMs.day, reader.day),
      recent("past", freshMs.past, reader.past),
    ]);
    const reports = { ...day, today: now.today, by_hour: hourByHour(now.hours, past.hours) };
    if (over !== null || day.yesterday.calls + day.last_week.calls > 0) return { reports, firstCall: undefined };
    const before = await recent("before", freshMs.past, reader.before);
    if (before.calls > 0) return { reports, firstCall: undefined };
    const { call: firstCall } = await recent("newest", freshMs.now, reader.newest);
    return { reports, firstCall };
  };
}

type Spans = ReturnType<typeof spansOf>;

/** Reads the parts of the reports, each of which changes at a pace of its own. */
function createReader(
  { today, yesterday, lastWeek, lastWeekWhole, before }: Spans,
  rows: (plan: Partial<Plan> & { readonly period: Period }) => Promise<readonly Row[]>,
) {
  const one = async (...plan: Parameters<typeof rows>): Promise<Row> => (await rows(...plan))[0] ?? {};
  const calls = async (period: Period) => toDayFigures(await one({ measures: figures, period }));
  const hours = (period: Period) => rows({ measures: ["calls"], grain: "hour", period });
  const bids = async (period: Period) =>
    toBidFigures(await one({ subject: "outbound_rtb_requests", measures: bidMeasures, period }));
  const top = async (dimension: "campaign" | "publisher" | "buyer") => {
    const ranked = { measures: perParty, dimensions: [dimension], limit: mostListed, period: today };
    const found = await rows({ ...ranked, order: { by: "revenue", direction: "desc" } });
    return found.map((row) => ({ name: toText(row[dimension]), ...toPartyFigures(row) }));
  };
  const failures = async () => {
    const found = await rows({
      measures: ["failed_calls"],
      dimensions: ["failure_reason"],
      filters: [{ field: "failed", op: "is", values: [true] }],
      order: { by: "failed_calls", direction: "desc" },
      limit: mostReasons,
      period: today,
    });
    return found.map((row) => ({ reason: toText(row["failure_reason"]), calls: toNumber(row["failed_calls"]) }));
  };
  const deliveries = async () => {
    const measures = ["deliveries", "failed_deliveries"];
    const row = await one({ subject: "outgoing_webhook_requests", measures, period: today });
    return { attempts: toNumber(row["deliveries"]), failed: toNumber(row["failed_deliveries"]) };
  };

  return {
    now: async () => ({ today: await calls(today), hours: await hours(today) }),
    day: async () => ({
      yesterday: await calls(yesterday),
      last_week: await calls(lastWeek),
      campaigns: await top("campaign"),
      publishers: await top("publisher"),
      buyers: await top("buyer"),
      failures: await failures(),
      bids: { today: await bids(today), yesterday: await bids(yesterday) },
      deliveries: await deliveries(),
    }),
    past: async () => ({ hours: await hours(lastWeekWhole) }),
    newest: async () => {
      const [row] = await rows({ columns: ["call_id", "status"], period: today, limit: 1 });
      return { call: row === undefined ? null : { call_id: String(row["call_id"]), status: String(row["status"]) } };
    },
    before: async () => ({ calls: toNumber((await one({ measures: ["calls"], period: before }))["calls"]) }),
  };
}

const bidMeasures = ["outbound_pings", "bids", "bid_rate", "timeouts", "timeout_rate"];

/**
 * The organization's day until now, or the whole of a day that is over (`2026-11-26`), the same part of the day before and
 * of the same weekday a week ago, and that whole day; days begin at midnight of the zone. `date` is the day's.
 */
export function spansOf(now: number, zone: string, over: string | null) {
  const local = toLocal(now, zone);
  const start = over === null ? startOf("day", local) : Date.parse(`${over}T00:00:00Z`);
  const end = over === null ? local : addUnits("day", start, 1);
  const at = (wall: number): string => isoTime(toInstant(wall, zone));
  const daysAgo = (days: number, label: string) => ({
    from: at(addUnits("day", start, -days)),
    to: at(end - days * dayMs),
    label,
  });
  const lastWeek = daysAgo(7, "last week, same part");
  return {
    date: isoDate(start),
    today: { from: at(start), to: over === null ? isoTime(now) : at(end), label: over ?? "today" },
    yesterday: daysAgo(1, "yesterday, same part"),
    lastWeek,
    lastWeekWhole: { ...lastWeek, to: at(addUnits("day", start, -6)), label: "last week" },
    before: { from: null, to: at(start), label: "before today" },
  };
}

const toNumber = (value: Value | undefined): number => Number(value ?? 0);
/** A percentage as a rate from 0 to 1; null where there is nothing to share. */
const toRate = (value: Value | undefined): number | null => (value == null ? null : Number(value) / 100);
const toText = (value: Value | undefined): string | null => (value == null ? null : String(value));

const toPartyFigures = (row: Row) => ({
  calls: toNumber(row["calls"]),
  revenue: toNumber(row["revenue"]),
  conversion_rate: toRate(row["conversion_rate"]),
});

const toDayFigures = (row: Row) => ({
  ...toPartyFigures(row),
  payout: toNumber(row["payout"]),
  profit: toNumber(row["profit"]),
});

const toBidFigures = (row: Row) => ({
  requests: toNumber(row["outbound_pings"]),
  bids: toNumber(row["bids"]),
  bid_rate: toRate(row["bid_rate"]),
  timeouts: toNumber(row["timeouts"]),
  timeout_rate: toRate(row["timeout_rate"]),
});

/** Joins both days by the hours of their clocks; null: that hour has not begun, or that day's clocks skip it. */
function hourByHour(today: readonly Row[], lastWeek: readonly Row[]) {
  const byHour = (rows: readonly Row[]) =>
    new Map(rows.map((row) => [String(row["hour"]).slice(11, 16), toNumber(row["calls"])]));
  const [now, before] = [byHour(today), byHour(lastWeek)];
  const hours = [...new Set([...before.keys(), ...now.keys()])].sort();
  return hours.map((hour) => ({ hour, today: now.get(hour) ?? null, last_week: before.get(hour) ?? null }));
}
