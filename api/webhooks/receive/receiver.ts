import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../../ingest/clock.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { createOnce } from "../../once/once.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";
import { type Calling, giveBackData, keepData, sweepData, takeData } from "./caller-data.ts";
import { carryOut } from "./carry-out.ts";
import { type CallFinderDeps, createCallFinder } from "./find-call.ts";
import { createLateData } from "./late-data.ts";
import { createPlanner, type Understood } from "./planner.ts";
import { type Decided, webhookReceipts } from "./receipts.ts";

export interface ReceiverDeps extends CallFinderDeps {
  readonly database: Database;
  readonly log: EventLog;
  readonly openCalls: Pick<OpenCallStore, "find" | "findArriving" | "openAmong" | "step">;
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

/** What customers' systems send about calls; each transaction is decided, done and answered once. */
export function createReceiver(deps: ReceiverDeps) {
  const { database, clock } = deps;
  const lateData = createLateData(deps);
  const plan = createPlanner({ finder: createCallFinder(deps), clock, newId: uuidv7 });
  const once = createOnce<Decided>({
    database,
    clock,
    receipts: webhookReceipts,
    onTrouble: deps.onTrouble,
    carryOut: ({ orgId }, decided) => carryOut({ ...deps, lateData }, orgId, decided.plan),
  });

  async function decide(understood: Understood): Promise<Decided> {
    const decided = await plan(understood);
    return { plan: decided, status: 200, body: JSON.stringify(decided.answer) };
  }

  const keep = async (db: Queryable, orgId: OrgId, { plan }: Decided): Promise<void> => {
    if (plan.keep !== null) await keepData(db, orgId, plan.keep);
  };

  async function receiveAny(orgId: OrgId, understood: Understood): Promise<Received> {
    const decided = await decide(understood);
    await keep(database, orgId, decided);
    await carryOut({ ...deps, lateData }, orgId, decided.plan);
    return toReceived(decided, false);
  }

  const sweep = () => sweepData(database, clock.now());

  return {
    /** Does what a request asks for, once. Throws 409 while the same transaction is being worked on. */
    async receive(understood: Understood): Promise<Received> {
      once.tidySometimes(sweep);
      const orgId = understood.config.organization.id;
      const { transaction_id: id } = understood.body.given;
      if (id === null) return receiveAny(orgId, understood);
      const { decided, isReplayed } = await once.run(
        { orgId, id },
        { decide: () => decide(understood), beside: (db, decided) => keep(db, orgId, decided) },
      );
      return toReceived(decided, isReplayed);
    },

    /** What was sent about a caller before this call; again for the same call gives the same. */
    takeCallerData: (calling: Calling) =>
      takeData(database, calling, { now: clock.now(), onUnreadable: deps.onTrouble }),

    /** In a transaction of the caller's: it waits for the caller's next call. */
    giveBackCallerData: giveBackData,

    /** What was sent about a caller while this call came in: the call with it; null where that is nothing. */
    giveLateData: lateData.giveTo,

    /** Finishes what others have left, and forgets what is too old to matter. */
    async tidy(): Promise<void> {
      await once.tidy();
      await sweep();
    },

    close: once.close,
  };
}
export type Receiver = ReturnType<typeof createReceiver>;

const toReceived = ({ status, body, plan }: Decided, isReplayed: boolean): Received => ({
  status,
  body,
  callId: plan.call_id,
  isReplayed,
});
