import type { Heard } from "./kill-receivers.ts";
import type { KillOutcome } from "./kill-run.ts";

/** What a run with kills comes to, one fault a line; no line: all is as it should be. */
export interface KillReport {
  readonly faults: readonly string[];
  readonly requests: number;
  readonly records: number;
  /** Requests without a record: each was under way as its process was killed. */
  readonly unrecorded: number;
  /** Deliveries that came through more than once. */
  readonly repeated: number;
  /** The longest that one of the unrecorded had been under way. */
  readonly longestUnderWayMs: number;
}

/** Compares what receivers were sent with what the history tells of it. */
export function toKillReport({ heard, history, killedAt, acknowledged, waiting }: KillOutcome): KillReport {
  const faults: string[] = [];
  const records = groupBy(history, (row) => `${row.outgoing_webhook_config_id} ${row.event_id}`);
  const requests = groupBy(heard, ({ delivery }) => delivery);
  if (requests.size !== 2 * acknowledged) faults.push(`${requests.size} deliveries for ${acknowledged} events`);
  if (waiting > 0) faults.push(`${waiting} deliveries wait although all came through`);
  for (const delivery of records.keys()) if (!requests.has(delivery)) faults.push(`${delivery} was never sent`);
  const underWay: number[] = [];
  let repeated = 0;
  for (const [delivery, asked] of requests) {
    const told = records.get(delivery) ?? [];
    const finals = told.filter((row) => row.next_attempt_at === null);
    if (finals.length !== 1 || finals[0]?.outcome !== "delivered")
      faults.push(`${delivery} ended ${finals.length} times`);
    for (const status of [200, 500]) {
      const times = asked.filter((each) => each.status === status);
      const recorded = told.filter((row) => row.response_status_code === status).length;
      if (recorded > times.length) faults.push(`${delivery} has ${recorded} records of ${times.length} requests`);
      if (status === 200 && times.length > 1) repeated += 1;
      underWay.push(...nearestToKills(times, times.length - recorded, killedAt));
    }
  }
  const unexplained = underWay.filter((ms) => ms === Number.POSITIVE_INFINITY).length;
  if (unexplained > 0) faults.push(`${unexplained} requests have no record although no process was killed after them`);
  faults.push(...outOfOrder(heard));
  return {
    faults,
    requests: heard.length,
    records: history.length,
    repeated,
    unrecorded: underWay.length,
    longestUnderWayMs: Math.max(0, ...underWay),
  };
}

/** How long so many requests without a record were under way at the kill after them: those that it hit soonest. */
function nearestToKills(asked: readonly Heard[], count: number, killedAt: readonly number[]): number[] {
  const before = asked.map(({ at }) => (killedAt.find((each) => each >= at) ?? Number.POSITIVE_INFINITY) - at);
  return before.sort((one, other) => one - other).slice(0, Math.max(0, count));
}

/** Deliveries of one call to one webhook that were first heard of in another order than that of the events. */
function outOfOrder(heard: readonly Heard[]): string[] {
  const last = new Map<string, number>();
  const seen = new Set<string>();
  return heard.flatMap(({ delivery }) => {
    if (seen.has(delivery)) return [];
    seen.add(delivery);
    const [call = "", version = "0"] = delivery.split(":");
    const isLate = Number(version) < (last.get(call) ?? 0);
    last.set(call, Number(version));
    return isLate ? [`${delivery} came after a later event of its call`] : [];
  });
}

function groupBy<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return groups;
}
