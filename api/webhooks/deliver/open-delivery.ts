import type { Clock } from "../../../ingest/clock.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import type { ResourceService } from "../../config/service.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import type { AttemptDeps } from "./attempt.ts";
import type { HealthTerms } from "./health.ts";
import { createHealthKeeper, type DeliveryNotice } from "./health-keeper.ts";
import { createInOrder } from "./in-order.ts";
import { createNotices } from "./notices.ts";
import { createOverflow } from "./overflow.ts";
import { createPending } from "./pending.ts";
import { createRetries } from "./retries.ts";
import { runDeliver } from "./run.ts";
import type { Sender } from "./send.ts";
import { createTending } from "./tend.ts";
import { createTurns } from "./turns.ts";

export interface DeliveryTerms extends HealthTerms {
  /** Pauses before attempts 2, 3, … */
  readonly pausesMs: readonly number[];
  /** What has waited for longer expires. */
  readonly keepMs: number;
}

export interface DeskDeps {
  readonly log: Pick<EventLog, "publish">;
  readonly database: Database;
  readonly sender: Pick<Sender, "send">;
  readonly clock: Clock;
  readonly terms: DeliveryTerms;
  /** From 0 to 1, 1 excluded. */
  random(): number;
  onTrouble(error: unknown): void;
}

export interface DeliveryDeps extends DeskDeps {
  readonly log: EventLog;
  readonly snapshot: Pick<Snapshot, "config" | "settled">;
  readonly edit: ResourceService["edit"];
  readonly leaseMs?: number;
  /** Whether no other process delivers from this database. */
  readonly isAlone?: boolean;
  /** Told of what operators should know; of deliveries that failed for good, how many. */
  onNotice(notice: DeliveryNotice, count: number): void;
}

/** Ten to an endpoint (semantics 8.14); whoever has ten that hang still leaves most places to others. */
const turnLimits = { total: 500, perOrg: 100, perEndpoint: 10 };

/** What asks for deliveries is made with; `onDue` is told when some have come to wait that are due. */
export function createDeliveryDesk({ log, database, sender, clock, terms, random, onTrouble }: DeskDeps, onDue = noop) {
  /** What a single attempt is made with, in turn with all others. */
  const tries: AttemptDeps = {
    sender,
    clock,
    turns: createTurns(turnLimits, clock),
    schedule: { pausesMs: terms.pausesMs, random },
  };
  return { tries, pending: createPending({ database, log, clock, onTrouble, onDue }) };
}
const noop = (): void => undefined;

/** Deliveries of call events to customers' systems: the first attempts as events come, the others when they are due. */
export function openDelivery(deps: DeliveryDeps) {
  const { log, database, snapshot, clock, terms, onTrouble } = deps;
  const { tries, pending } = createDeliveryDesk(deps, () => retries.nudge());
  const health = createHealthKeeper({
    database,
    snapshot,
    clock,
    terms,
    edit: deps.edit,
    onTrouble,
    onNotice: createNotices(clock, deps.onNotice),
  });
  const inOrder = createInOrder();
  const overflow = createOverflow(database);
  const shared = { ...tries, database, snapshot, pending, health, inOrder, overflow, onTrouble };
  // Before what works on its own: where the log takes no consumer any more, nothing is left at work.
  const consumer = runDeliver({ ...shared, log });
  const { isAlone = false, leaseMs } = deps;
  const retries = createRetries({ ...shared, isAlone, ...(leaseMs === undefined ? {} : { leaseMs }) });
  const tending = createTending({ ...shared, retries, keepMs: terms.keepMs });

  return {
    tries,
    pending,
    retries,
    /** Rejects with a fault that deliveries cannot go on with. */
    finished: consumer.finished,
    /** Finishes the attempts under way; what waits is found by the next run. */
    async close(): Promise<void> {
      await Promise.all([consumer.stop(), tending.close(), retries.close()]);
      await pending.close();
      await health.close();
    },
  };
}
