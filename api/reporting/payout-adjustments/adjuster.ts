import { v7 as uuidv7 } from "uuid";
import type { z } from "zod";
import type { AuditRecord } from "../../../ingest/audit.ts";
import type { Clock } from "../../../ingest/clock.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { AppContext } from "../../app-context.ts";
import { type Actor, type AuditOutbox, recordChange } from "../../config/audit-outbox.ts";
import { actorOf } from "../../config/resource-operations.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { createIdempotency } from "../../idempotency/idempotency.ts";
import { createIdempotencyRecords } from "../../idempotency/idempotency-store.ts";
import type { Routing } from "../../routing/open-routing.ts";
import { actorName } from "../../serve/caller.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";
import { publishTo, signalMessage } from "../../telephony/outbox.ts";
import { type CallFinderDeps, createCallFinder } from "../../webhooks/receive/find-call.ts";
import {
  type AdjustmentsBody,
  type AdjustmentsDecision,
  adjustmentsAnswer,
  adjustmentsBody,
  adjustmentsDecision,
  decideAdjustments,
  distinctAdjustments,
} from "./adjustments.ts";

export interface AdjusterDeps extends CallFinderDeps {
  readonly database: Database;
  readonly log: EventLog;
  readonly openCalls: Pick<OpenCallStore, "find" | "openAmong" | "step">;
  readonly outbox: AuditOutbox;
  readonly clock: Clock;
  /** Called with errors of background work, which is tried again. */
  onTrouble(error: unknown): void;
}

type Answer = AdjustmentsDecision["answer"];

export const adjustmentRecords = createIdempotencyRecords<AdjustmentsDecision>({
  table: "adjustment_receipts",
  schema: adjustmentsDecision as z.ZodType<AdjustmentsDecision>,
  toExecuted: ({ answer }) => ({ signals: [], answer }),
});

/**
 * Adjusts the amounts of calls, many at once. A transaction is decided once; a repeat, also one that comes
 * while the first is in flight, gets the same answer.
 */
function createAdjuster(deps: AdjusterDeps) {
  const { database, outbox, clock, onTrouble } = deps;
  const finder = createCallFinder(deps);
  const idempotency = createIdempotency<AdjustmentsDecision>({
    database,
    clock,
    records: adjustmentRecords,
    onTrouble,
    execute: ({ orgId }, { signals }) => publishAdjustments(deps, orgId, signals),
  });
  const answering = new Map<string, Promise<Answer>>();

  async function decide(actor: Actor, body: AdjustmentsBody): Promise<AdjustmentsDecision> {
    const { orgId } = actor.caller;
    const adjustments = distinctAdjustments(body);
    const ids = adjustments.map(({ call_id }) => call_id);
    const found = await finder.byIds(orgId, ids);
    return decideAdjustments(adjustments, found, {
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
        alsoStore: (db, { answer }) => recordAdjustments(db, actor, { answer, now: clock.now() }),
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
      // Without the client's id it has one of its own, so that a decision is executed even after a crash.
      const answer = await (id == null ? adjustOnce(actor, body, uuidv7()) : adjustTogether(actor, body, id));
      outbox.drain().catch(onTrouble);
      return answer;
    },
    sweep: idempotency.sweep,
    close: idempotency.close,
  };
}
export type Adjuster = ReturnType<typeof createAdjuster>;

interface OpenAdjusterOptions extends Pick<AdjusterDeps, "openCalls" | "outbox"> {
  readonly live: Routing["live"];
}

/** Opens the adjuster, and finishes requests that an earlier run had accepted. */
export async function openAdjuster(
  context: AppContext,
  { openCalls, outbox, live }: OpenAdjusterOptions,
): Promise<Adjuster> {
  const { database, log, warehouse, clock, shutdown, onTrouble } = context;
  const adjuster = shutdown.add(
    "adjuster",
    createAdjuster({
      database,
      log,
      warehouse,
      openCalls,
      outbox,
      clock,
      onTrouble: onTrouble("adjustments"),
      statsOf: live.statsOf,
    }),
  );
  await adjuster.sweep().catch(onTrouble("adjustments"));
  return adjuster;
}

/** The operation of bulk payout adjustments. */
export const adjustmentOperation = ({ adjuster }: { readonly adjuster: Adjuster }): Operation =>
  defineOperation({
    method: "post",
    path: "/api/v1/reports/payout-adjustments",
    tag: "Reports",
    name: "adjustPayouts",
    summary: "Correct what up to 500 calls are worth, each row by itself; a transaction_id counts once",
    access: "api_key",
    limit: "api",
    body: adjustmentsBody,
    example: { adjustments: [{ call_id: "CALL_ID", payout: 25, reason: "agreed with the publisher" }] },
    status: 200,
    answer: adjustmentsAnswer,
    errors: [409, 503],
    handle: (request) => adjuster.adjust(actorOf(request), request.body),
  });

interface PublishDeps {
  readonly log: EventLog;
  readonly openCalls: Pick<OpenCallStore, "openAmong" | "step">;
}

/** Signals of one publish; each contains its whole call. */
const batchSize = 100;

/** Publishes the signals; those of open calls go through the call's outbox, in order with the reports of its switch. */
async function publishAdjustments(
  { log, openCalls }: PublishDeps,
  orgId: OrgId,
  signals: AdjustmentsDecision["signals"],
): Promise<void> {
  const publish = publishTo(log);
  const open = await openCalls.openAmong(
    orgId,
    signals.map(({ call_id }) => call_id),
  );
  const outboxes = signals.map((signal) => ({ id: signal.call_id, messages: [signalMessage(signal)] }));
  const others = outboxes.filter(({ id }) => !open.has(id));
  for (let first = 0; first < others.length; first += batchSize) {
    await publish(others.slice(first, first + batchSize).flatMap(({ messages }) => messages));
  }
  for (const { id, messages } of outboxes.filter(({ id }) => open.has(id))) {
    const step = await openCalls.step(orgId, id, (call) => ({ call, messages }));
    if (step === null) await publish(messages);
  }
}

/** Writes an audit record for each call that changes. */
async function recordAdjustments(
  db: Queryable,
  actor: Actor,
  { answer, now }: { readonly answer: Answer; readonly now: number },
): Promise<void> {
  for (const { id, before, after } of answer.data) {
    if (before === null || after === null) continue;
    const changes = (Object.keys(after) as (keyof typeof after)[])
      .filter((field) => before[field] !== after[field])
      .map((field): AuditRecord["changes"][number] => ({ field, old: before[field], new: after[field] }));
    if (changes.length > 0) {
      await recordChange(db, actor, { action: "adjust", entity: { type: "call", id, name: null }, changes, now });
    }
  }
}
