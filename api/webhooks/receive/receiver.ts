import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../../ingest/clock.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Database } from "../../config/database.ts";
import { conflict } from "../../serve/errors.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";
import { type Calling, keepData, sweepData, takeData } from "./caller-data.ts";
import { carryOut } from "./carry-out.ts";
import { type CallFinderDeps, createCallFinder } from "./find-call.ts";
import { createLateData } from "./late-data.ts";
import { createPlanner, type Understood } from "./planner.ts";
import {
  accept,
  type Decided,
  findLeft,
  findReceipt,
  finish,
  giveBack,
  type Receipt,
  resume,
  sweepReceipts,
  type Transaction,
} from "./receipts.ts";

export interface ReceiverDeps extends CallFinderDeps {
  readonly database: Database;
  readonly log: EventLog;
  readonly openCalls: Pick<OpenCallStore, "find" | "findArriving" | "step">;
  readonly clock: Clock;
  /** Told of what nobody waits for; it is tried again. */
  onTrouble(error: unknown): void;
}

export interface Received {
  readonly status: number;
  /** JSON; of a transaction that was received before, byte for byte what it was answered then. */
  readonly body: string;
  readonly callId: string | null;
  readonly isReplayed: boolean;
}

/** Ample for what takes milliseconds: whoever has not finished by then is gone. */
const leaseMs = 30_000;
const tidyEveryMs = 60_000;

/**
 * What customers' systems send about calls. A transaction is decided once: what is to be done and the answer are written
 * down together, then done, then answered. So a crash on the way leaves something that anybody can finish, and what it
 * tells the log bears an id that was written down with it: told twice, it counts once.
 */
export function createReceiver(deps: ReceiverDeps) {
  const { database, clock, onTrouble } = deps;
  const lateData = createLateData(deps);
  const plan = createPlanner({ finder: createCallFinder(deps), clock, newId: uuidv7 });
  /** Transactions that this process is working on: their repeats cost nothing. */
  const inHand = new Set<string>();
  let tidying: Promise<void> | null = null;
  let tidiedAt = clock.now();

  async function decide(understood: Understood): Promise<Decided> {
    const decided = await plan(understood);
    return { plan: decided, status: 200, body: JSON.stringify(decided.answer) };
  }

  async function complete(transaction: Transaction, decided: Decided): Promise<void> {
    try {
      await carryOut({ ...deps, lateData }, transaction.orgId, decided.plan);
      await finish(database, transaction, decided);
    } catch (error) {
      await giveBack(database, transaction, clock.now()).catch(onTrouble);
      throw error;
    }
  }

  async function receiveOnce(transaction: Transaction, understood: Understood): Promise<Received> {
    const key = `${transaction.orgId} ${transaction.id}`;
    if (inHand.has(key)) throw inFlight();
    inHand.add(key);
    return receiveFirst(transaction, understood).finally(() => inHand.delete(key));
  }

  async function receiveFirst(transaction: Transaction, understood: Understood): Promise<Received> {
    const known = await findReceipt(database, transaction, clock.now());
    if (known !== null) return replay(transaction, known);
    const decided = await decide(understood);
    const isFirst = await database.transaction(async (db) => {
      const now = clock.now();
      const isAccepted = await accept(db, transaction, { decided, now, leasedUntil: now + leaseMs });
      if (isAccepted && decided.plan.keep !== null) await keepData(db, transaction.orgId, decided.plan.keep);
      return isAccepted;
    });
    if (!isFirst) return replay(transaction, await findReceipt(database, transaction, clock.now()));
    await complete(transaction, decided);
    return toReceived(decided, false);
  }

  async function replay(transaction: Transaction, receipt: Receipt | null): Promise<Received> {
    if (receipt?.leasedUntil === null) return toReceived(receipt.decided, true);
    const left = await takeUp(transaction);
    if (left === null) throw inFlight();
    await complete(transaction, left);
    return toReceived(left, true);
  }

  const takeUp = (transaction: Transaction): Promise<Decided | null> =>
    resume(database, transaction, { now: clock.now(), leasedUntil: clock.now() + leaseMs });

  async function receiveAny(orgId: OrgId, understood: Understood): Promise<Received> {
    const decided = await decide(understood);
    if (decided.plan.keep !== null) await keepData(database, orgId, decided.plan.keep);
    await carryOut({ ...deps, lateData }, orgId, decided.plan);
    return toReceived(decided, false);
  }

  async function finishLeft(transaction: Transaction): Promise<void> {
    const left = await takeUp(transaction);
    if (left !== null) await complete(transaction, left);
  }

  /** Finishes what others have left, and forgets what is too old to matter. */
  async function tidy(): Promise<void> {
    const now = clock.now();
    for (const transaction of await findLeft(database, now)) {
      // One that cannot be done yet keeps none of the others waiting.
      await finishLeft(transaction).catch(onTrouble);
    }
    await sweepReceipts(database, now);
    await sweepData(database, now);
  }

  function tidySometimes(): void {
    if (tidying !== null || clock.now() < tidiedAt + tidyEveryMs) return;
    tidiedAt = clock.now();
    tidying = tidy()
      .catch(onTrouble)
      .finally(() => {
        tidying = null;
      });
  }

  return {
    /** Does what a request asks for, once. Throws 409 while the same transaction is being worked on. */
    async receive(understood: Understood): Promise<Received> {
      tidySometimes();
      const orgId = understood.config.organization.id;
      const { transaction_id: id } = understood.body.given;
      return id === null ? receiveAny(orgId, understood) : receiveOnce({ orgId, id }, understood);
    },

    /** What was sent about a caller before this call; again for the same call gives the same. */
    takeCallerData: (calling: Calling) => takeData(database, calling, clock.now()),

    /** What was sent about a caller while this call came in: the call with it; null where that is nothing. */
    giveLateData: lateData.giveTo,

    tidy,

    async close(): Promise<void> {
      await tidying;
    },
  };
}
export type Receiver = ReturnType<typeof createReceiver>;

const inFlight = () => conflict("A request with this transaction_id is being worked on: try again in a moment.");

const toReceived = ({ status, body, plan }: Decided, isReplayed: boolean): Received => ({
  ...{ status, body, callId: plan.call_id, isReplayed },
});
