import { v7 as uuidv7 } from "uuid";
import type { z } from "zod";
import type { Clock } from "../../../ingest/clock.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import type { Actor, AuditOutbox } from "../../config/audit-outbox.ts";
import type { Database } from "../../database/database.ts";
import { createIdempotency } from "../../idempotency/idempotency.ts";
import { createIdempotencyRecords } from "../../idempotency/records.ts";
import { actorName } from "../../serve/caller.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";
import { type CallFinderDeps, createCallFinder } from "../../webhooks/receive/find-call.ts";
import { type AdjustmentsBody, distinctAdjustments } from "./body.ts";
import { carryOut } from "./carry-out.ts";
import { type AdjustmentsPlan, adjustmentsPlan, planAdjustments } from "./plan.ts";
import { recordAdjustments } from "./record.ts";

export interface AdjusterDeps extends CallFinderDeps {
  readonly database: Database;
  readonly log: EventLog;
  readonly openCalls: Pick<OpenCallStore, "find" | "openAmong" | "step">;
  readonly outbox: AuditOutbox;
  readonly clock: Clock;
  /** Called with errors of background work, which is tried again. */
  onTrouble(error: unknown): void;
}

type Answer = AdjustmentsPlan["answer"];

export const adjustmentRecords = createIdempotencyRecords<AdjustmentsPlan>({
  table: "adjustment_receipts",
  schema: adjustmentsPlan as z.ZodType<AdjustmentsPlan>,
  toExecuted: ({ answer }) => ({ signals: [], answer }),
});

/**
 * Adjusts the amounts of calls, many at once (semantics 7.6). A transaction is decided once; a repeat, also one that comes
 * while the first is in flight, gets the same answer.
 */
export function createAdjuster(deps: AdjusterDeps) {
  const { database, outbox, clock, onTrouble } = deps;
  const finder = createCallFinder(deps);
  const idempotency = createIdempotency<AdjustmentsPlan>({
    database,
    clock,
    records: adjustmentRecords,
    onTrouble,
    execute: ({ orgId }, { signals }) => carryOut(deps, orgId, signals),
  });
  const answering = new Map<string, Promise<Answer>>();

  async function decide(actor: Actor, body: AdjustmentsBody): Promise<AdjustmentsPlan> {
    const { orgId } = actor.caller;
    const adjustments = distinctAdjustments(body);
    const ids = adjustments.map(({ call_id }) => call_id);
    const found = await finder.byIds(orgId, ids);
    return planAdjustments(adjustments, found, {
      orgId,
      source: actorName(actor.caller),
      fireWebhooks: body.fire_webhooks,
      now: clock.now(),
      newId: uuidv7,
    });
  }

  async function adjustOnce(actor: Actor, body: AdjustmentsBody, id: string): Promise<Answer> {
    const { decision } = await idempotency.run(
      { orgId: actor.caller.orgId, id },
      {
        decide: () => decide(actor, body),
        alsoStore: (db, plan) => recordAdjustments(db, actor, { plan, now: clock.now() }),
      },
    );
    return decision.answer;
  }

  function adjustTogether(actor: Actor, body: AdjustmentsBody, id: string): Promise<Answer> {
    const key = `${actor.caller.orgId} ${id}`;
    const begun = answering.get(key) ?? adjustOnce(actor, body, id).finally(() => answering.delete(key));
    answering.set(key, begun);
    return begun;
  }

  return {
    /** Throws 409 while another process works on the same transaction. */
    async adjust(actor: Actor, body: AdjustmentsBody): Promise<Answer> {
      idempotency.sweepIfDue();
      const { transaction_id: id } = body;
      // Without an id of the asker's it has one of its own: what was decided is carried out, whatever comes between.
      const answer = await (id == null ? adjustOnce(actor, body, uuidv7()) : adjustTogether(actor, body, id));
      outbox.drain().catch(onTrouble);
      return answer;
    },
    sweep: idempotency.sweep,
    close: idempotency.close,
  };
}
export type Adjuster = ReturnType<typeof createAdjuster>;
