import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Clock } from "../../../ingest/clock.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Signal } from "../../../ingest/signal.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { createIdempotency } from "../../idempotency/idempotency.ts";
import { createIdempotencyRecords } from "../../idempotency/idempotency-store.ts";
import { addTags } from "../../routing/call/tags.ts";
import type { CallStep } from "../../telephony/call-step.ts";
import type { OpenCall } from "../../telephony/open-call.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";
import { publishTo, signalMessage } from "../../telephony/outbox.ts";
import { typesByPath } from "./bodies.ts";
import {
  type Calling,
  createLateData,
  giveBackData,
  keepData,
  type LateData,
  peekData,
  sweepData,
  takeData,
} from "./caller-data.ts";
import { createChangePlanner, type ParsedRequest } from "./change-planner.ts";
import { type CallFinderDeps, createCallFinder } from "./find-call.ts";
import { type Plan, planNothing, planSchema } from "./plan.ts";

export interface ReceiverDeps extends CallFinderDeps {
  readonly database: Database;
  readonly log: EventLog;
  readonly openCalls: Pick<OpenCallStore, "find" | "findArriving" | "openAmong" | "step">;
  readonly clock: Clock;
  /** Called with errors of background work, which is tried again. */
  onTrouble(error: unknown): void;
}

export interface Received {
  readonly status: number;
  /** JSON; for a repeated transaction the first answer, byte for byte unless that was to another type of request. */
  readonly body: string;
  readonly callId: string | null;
  readonly isReplayed: boolean;
}

/** The plan for a request with a transaction id, and the answer as it is sent. */
const decisionSchema = z.object({
  plan: planSchema,
  /** Null for a decision that is older than the field. */
  type: z
    .enum([...typesByPath.values()])
    .nullable()
    .default(null),
  status: z.int(),
  body: z.string(),
});
export type Decision = z.infer<typeof decisionSchema>;

/** Keeps the call's id and the answer of a decision that was executed. */
export const webhookRecords = createIdempotencyRecords<Decision>({
  table: "webhook_receipts",
  schema: decisionSchema,
  toExecuted: ({ plan, ...answer }) => ({ ...answer, plan: planNothing(plan.call_id, {}) }),
});

/** Receives what customers' systems send about calls; each transaction is decided, executed and answered once. */
export function createReceiver(deps: ReceiverDeps) {
  const { database, clock } = deps;
  const lateData = createLateData(deps);
  const plan = createChangePlanner({ finder: createCallFinder(deps), clock, newId: uuidv7 });
  const idempotency = createIdempotency<Decision>({
    database,
    clock,
    records: webhookRecords,
    onTrouble: deps.onTrouble,
    execute: ({ orgId }, decision) => executePlan({ ...deps, lateData }, orgId, decision.plan),
  });

  async function decide(request: ParsedRequest): Promise<Decision> {
    const decided = await plan(request);
    return { plan: decided, type: request.body.type, status: 200, body: JSON.stringify(decided.answer) };
  }

  const keep = async (db: Queryable, orgId: OrgId, { plan }: Decision): Promise<void> => {
    if (plan.keep !== null) await keepData(db, orgId, plan.keep);
  };

  async function receiveWithoutId(orgId: OrgId, request: ParsedRequest): Promise<Received> {
    const decision = await decide(request);
    await keep(database, orgId, decision);
    await executePlan({ ...deps, lateData }, orgId, decision.plan);
    return toReceived(decision, false);
  }

  const sweepCallerData = () => sweepData(database, clock.now());

  return {
    /** Processes a request, each transaction once. Throws 409 while the same transaction is being processed. */
    async receive(request: ParsedRequest): Promise<Received> {
      idempotency.sweepIfDue(sweepCallerData);
      const orgId = request.config.organization.id;
      const { transaction_id: id } = request.body.given;
      if (id === null) return receiveWithoutId(orgId, request);
      const { decision, isReplayed } = await idempotency.run(
        { orgId, id },
        { decide: () => decide(request), alsoStore: (db, decided) => keep(db, orgId, decided) },
      );
      const received = toReceived(decision, isReplayed);
      const isOfAnother = isReplayed && decision.type !== null && decision.type !== request.body.type;
      // A request of another type must not take the kept answer for its own.
      return isOfAnother
        ? { ...received, body: JSON.stringify({ ...JSON.parse(received.body), replayed: true }) }
        : received;
    },

    /** Takes the data that was received about a caller before this call; the same call gets the same again. */
    takeCallerData: (calling: Calling) =>
      takeData(database, calling, { now: clock.now(), onUnreadable: deps.onTrouble }),

    /** The tags that the caller's next call would take; they stay where they are. */
    peekCallerData: (calling: Omit<Calling, "callId">) =>
      peekData(database, calling, { now: clock.now(), onUnreadable: deps.onTrouble }),

    /** Gives data back for the caller's next call, in a transaction of the caller of this function. */
    giveBackCallerData: giveBackData,

    /** Returns the call with data that was received about its caller while it came in; null if there is none. */
    giveLateData: lateData.giveTo,

    /** Finishes requests that other processes have abandoned, and deletes what has expired. */
    async sweep(): Promise<void> {
      await idempotency.sweep();
      await sweepCallerData();
    },

    close: idempotency.close,
  };
}
export type Receiver = ReturnType<typeof createReceiver>;

const toReceived = ({ status, body, plan }: Decision, isReplayed: boolean): Received => ({
  status,
  body,
  callId: plan.call_id,
  isReplayed,
});

interface PlanDeps extends Pick<ReceiverDeps, "log" | "openCalls"> {
  readonly lateData: Pick<LateData, "giveToArriving">;
}

/** Executes a plan, or what is left of it. */
async function executePlan(deps: PlanDeps, orgId: OrgId, { signal, keep }: Plan): Promise<void> {
  if (signal !== null) await publishSignal(deps, orgId, signal);
  if (keep !== null) await deps.lateData.giveToArriving(orgId, keep);
}

/**
 * Publishes a signal about a call. A signal of a call in progress is published in the order of its switch's reports, also
 * behind its beginning, and later routing decisions see its tags.
 */
async function publishSignal({ log, openCalls }: PlanDeps, orgId: OrgId, signal: Signal): Promise<void> {
  const messages = [signalMessage(signal)];
  const step = await openCalls.step(
    orgId,
    signal.call_id,
    (call): CallStep => ({ call: withUpdate(call, signal), messages }),
  );
  if (step === null) await publishTo(log)(messages);
}

function withUpdate(call: OpenCall, signal: Signal): OpenCall {
  if (signal.kind !== "tagged" && signal.kind !== "fields") return call;
  const kept = Object.fromEntries(Object.entries(call.tags).filter(([name]) => !signal.remove.includes(name)));
  const tagged = { ...call, tags: addTags(kept, signal.tags) };
  if (signal.kind === "tagged") return tagged;
  const { caller_zip: zip = call.zip, caller_state: state_code = call.state_code } = signal;
  return { ...tagged, zip, state_code };
}
