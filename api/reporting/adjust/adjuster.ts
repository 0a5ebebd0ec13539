import { v7 as uuidv7 } from "uuid";
import type { z } from "zod";
import type { AuditRecord } from "../../../ingest/audit.ts";
import type { Clock } from "../../../ingest/clock.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import { type Actor, type AuditOutbox, recordChange } from "../../config/audit.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { createOnce } from "../../once/once.ts";
import { createReceipts } from "../../once/receipts.ts";
import { actorName } from "../../serve/caller.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";
import { tellingTo, toSignal } from "../../telephony/told.ts";
import { type CallFinderDeps, createCallFinder } from "../../webhooks/receive/find-call.ts";
import { type AdjustmentsBody, distinctAdjustments } from "./body.ts";
import { type AdjustmentsPlan, adjustmentsPlan, planAdjustments } from "./plan.ts";

export interface AdjusterDeps extends CallFinderDeps {
  readonly database: Database;
  readonly log: EventLog;
  readonly openCalls: Pick<OpenCallStore, "find" | "openAmong" | "step">;
  readonly outbox: AuditOutbox;
  readonly clock: Clock;
  /** Told of what nobody waits for; it is tried again. */
  onTrouble(error: unknown): void;
}

type Answer = AdjustmentsPlan["answer"];

export const adjustmentReceipts = createReceipts<AdjustmentsPlan>({
  table: "adjustment_receipts",
  schema: adjustmentsPlan as z.ZodType<AdjustmentsPlan>,
  toDone: ({ answer }) => ({ signals: [], answer }),
});

/** Each carries its call as it stood. */
const signalsAtOnce = 100;

/**
 * Corrects what calls are worth, many at once (semantics 7.6). A transaction is decided once; whoever repeats it, at the
 * same moment too, is answered what the first one is.
 */
export function createAdjuster(deps: AdjusterDeps) {
  const { database, log, openCalls, outbox, clock, onTrouble } = deps;
  const finder = createCallFinder(deps);
  const tell = tellingTo(log);
  const once = createOnce<AdjustmentsPlan>({
    ...{ database, clock, receipts: adjustmentReceipts, onTrouble },
    carryOut: ({ orgId }, { signals }) => carryOut(orgId, signals),
  });
  const answering = new Map<string, Promise<Answer>>();

  async function decide(actor: Actor, body: AdjustmentsBody): Promise<AdjustmentsPlan> {
    const { orgId } = actor.caller;
    const adjustments = distinctAdjustments(body);
    const ids = adjustments.map(({ call_id }) => call_id);
    const found = await finder.byIds(orgId, ids);
    return planAdjustments(adjustments, found, {
      ...{ orgId, source: actorName(actor.caller), fireWebhooks: body.fire_webhooks },
      ...{ now: clock.now(), newId: uuidv7 },
    });
  }

  /** A call that its switch still reports on is told in the order of its reports, behind its beginning too. */
  async function carryOut(orgId: OrgId, signals: AdjustmentsPlan["signals"]): Promise<void> {
    const open = await openCalls.openAmong(
      orgId,
      signals.map(({ call_id }) => call_id),
    );
    const told = signals.map((signal) => ({ id: signal.call_id, tell: [toSignal(signal)] }));
    const others = told.filter(({ id }) => !open.has(id));
    for (let first = 0; first < others.length; first += signalsAtOnce) {
      await tell(others.slice(first, first + signalsAtOnce).flatMap(({ tell }) => tell));
    }
    for (const each of told.filter(({ id }) => open.has(id))) {
      const step = await openCalls.step(orgId, each.id, (call) => ({ call, tell: each.tell }));
      if (step === null) await tell(each.tell);
    }
  }

  async function adjustOnce(actor: Actor, body: AdjustmentsBody, id: string): Promise<Answer> {
    const { decided } = await once.run(
      { orgId: actor.caller.orgId, id },
      {
        decide: () => decide(actor, body),
        beside: (db, plan) => recordAdjustments(db, actor, { plan, now: clock.now() }),
      },
    );
    return decided.answer;
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
      once.tidySometimes();
      const { transaction_id: id } = body;
      // Without an id of the asker's it has one of its own: what was decided is carried out, whatever comes between.
      const answer = await (id == null ? adjustOnce(actor, body, uuidv7()) : adjustTogether(actor, body, id));
      outbox.drain().catch(onTrouble);
      return answer;
    },
    tidy: once.tidy,
    close: once.close,
  };
}
export type Adjuster = ReturnType<typeof createAdjuster>;

interface Recorded {
  readonly plan: AdjustmentsPlan;
  readonly now: number;
}

/** A line of the audit log for each call that changes. */
async function recordAdjustments(db: Queryable, actor: Actor, { plan, now }: Recorded): Promise<void> {
  for (const { id, before, after } of plan.answer.data) {
    if (before === null || after === null) continue;
    const changes = (Object.keys(after) as (keyof typeof after)[])
      .filter((field) => before[field] !== after[field])
      .map((field): AuditRecord["changes"][number] => ({ field, old: before[field], new: after[field] }));
    if (changes.length > 0) {
      await recordChange(db, actor, { action: "adjust", entity: { type: "call", id, name: null }, changes, now });
    }
  }
}
