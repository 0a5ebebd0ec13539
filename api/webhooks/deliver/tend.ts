import type { Clock } from "../../../ingest/clock.ts";
import { pauseReasonOf } from "../../config/delivery-state.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import { end, readEvent } from "./claimed-row.ts";
import { claimOld, claimProbe, heldWebhooks, holdFor } from "./claims.ts";
import type { HealthKeeper } from "./health-keeper.ts";
import type { Overflow } from "./overflow.ts";
import type { Pending } from "./pending.ts";
import type { PendingRow } from "./pending-rows.ts";
import type { Retries } from "./retries.ts";

export interface TendDeps {
  readonly database: Database;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly clock: Clock;
  readonly pending: Pending;
  readonly overflow: Overflow;
  readonly health: Pick<HealthKeeper, "takeProbe">;
  readonly retries: Pick<Retries, "take" | "nudge" | "leaseUntil">;
  /** What has waited for longer expires. */
  readonly keepMs: number;
  onTrouble(error: unknown): void;
}

const everyMs = 1000;
/** Looked after less often than the order of first attempts. */
const slowlyEvery = 5;
const mostExpired = 100;

/** Looks after what waits: what may go on, what is to be tried, and what has waited for too long. */
export function createTending(deps: TendDeps) {
  const { clock, overflow } = deps;
  const stopping = new AbortController();

  async function run(): Promise<void> {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      if (!overflow.isEmpty()) await overflow.refresh().catch(deps.onTrouble);
      if (round % slowlyEvery === 0) await tend(deps).catch(deps.onTrouble);
      await clock.sleep(everyMs, stopping.signal);
    }
  }
  const finished = run();

  return {
    async close(): Promise<void> {
      stopping.abort();
      await finished;
    },
  };
}

async function tend(deps: TendDeps): Promise<void> {
  for (const { orgId, id } of await heldWebhooks(deps.database)) await lookAfter(deps, orgId, id);
  await expire(deps);
}

/** Lets go on what waits for a webhook that is not paused any more, and probes one that is paused for failing. */
async function lookAfter(deps: TendDeps, orgId: string, webhookId: string): Promise<void> {
  const { database, snapshot, clock, health, retries } = deps;
  const webhook = snapshot.config(orgId)?.get("outgoing_webhook", webhookId);
  const reason = webhook === undefined ? null : pauseReasonOf(webhook, clock.now());
  if (webhook === undefined || reason === null) {
    await holdFor(database, webhookId, false);
    return retries.nudge();
  }
  if (reason !== "failing" || !(await health.takeProbe(webhook))) return;
  const lease = { now: clock.now(), until: retries.leaseUntil() };
  for (const row of await claimProbe(database, lease, webhookId)) retries.take(row);
}

async function expire(deps: TendDeps): Promise<void> {
  const { database, clock, retries, keepMs } = deps;
  const lease = { now: clock.now(), until: retries.leaseUntil(), most: mostExpired };
  const rows = await claimOld(database, lease, clock.now() - keepMs);
  await Promise.all(rows.map((row) => endExpired(deps, row).catch(deps.onTrouble)));
}

async function endExpired(deps: TendDeps, row: PendingRow): Promise<void> {
  if (row.untold !== null || row.ended) return deps.pending.tellLeftOver(row);
  const days = Math.floor(deps.keepMs / (24 * 60 * 60 * 1000));
  const why = `It has waited for more than ${days} days.`;
  await end(deps, row, { event: await readEvent(deps, row), outcome: "expired", why });
}
