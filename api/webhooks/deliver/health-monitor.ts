import type { Clock } from "../../../ingest/clock.ts";
import { createKeyedMutex } from "../../../ingest/concurrency/fair-queue.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Actor } from "../../config/audit-outbox.ts";
import { type Health, pausedBySystem, systemActor, type WebhookState } from "../../config/delivery-state.ts";
import type { Document } from "../../config/document.ts";
import { findDocument, updateDocument } from "../../config/documents.ts";
import { toPauseState } from "../../config/pause.ts";
import type { Resource } from "../../config/registry.ts";
import { outgoingWebhook } from "../../config/resources/outgoing-webhook.ts";
import type { ResourceService } from "../../config/service.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import { allRights } from "../../serve/rights.ts";
import { type AttemptEnd, assess, type HealthTerms, nextProbe, type Verdict } from "./health.ts";

/** A change of a webhook's health that operators should know. */
export interface DeliveryAlert {
  readonly kind: "failing" | "recovered" | "paused" | "resumed" | "exhausted";
  readonly orgId: string;
  readonly webhookId: string;
  readonly reason?: string;
}

export interface HealthMonitorDeps {
  readonly database: Database;
  readonly snapshot: Pick<Snapshot, "config" | "settled">;
  readonly edit: ResourceService["edit"];
  readonly clock: Clock;
  readonly terms: HealthTerms;
  onAlert(alert: DeliveryAlert): void;
  onTrouble(error: unknown): void;
}

interface WebhookRef {
  readonly orgId: OrgId;
  readonly webhookId: string;
}
export interface ReportedAttempt extends WebhookRef, Pick<AttemptEnd, "result" | "exhausted"> {}

/**
 * The circuit breakers of webhooks. Their state is part of the webhooks' documents, so every process has it in its
 * snapshot and the owner in the answers. Pausing and resuming are changes like any other, with an audit record.
 */
export function createHealthMonitor(deps: HealthMonitorDeps) {
  const { snapshot, clock, terms, onAlert, onTrouble } = deps;
  const failingSince = new Map<string, number>();
  const mutex = createKeyedMutex();
  const working = new Set<Promise<unknown>>();
  const { change, writeHealth } = createHealthWriter(deps);

  const assessWebhook = (webhook: WebhookState, { webhookId, ...ended }: ReportedAttempt): Verdict => {
    const now = clock.now();
    return assess(webhook, { ...ended, now, failingSince: failingSince.get(webhookId) ?? now }, terms);
  };
  const find = ({ orgId, webhookId }: WebhookRef) => snapshot.config(orgId)?.get("outgoing_webhook", webhookId);

  async function act(attempt: ReportedAttempt): Promise<void> {
    const webhook = find(attempt);
    const verdict: Verdict = webhook === undefined ? { kind: "none" } : assessWebhook(webhook, attempt);
    const about = { orgId: attempt.orgId, webhookId: attempt.webhookId };
    switch (verdict.kind) {
      case "none":
        return;
      case "note":
        if (!(await writeHealth(attempt, () => verdict.health))) return;
        return onAlert({ kind: verdict.health === null ? "recovered" : "failing", ...about });
      case "pause":
        if (!(await change(attempt, "pause", (doc) => assessWebhook(doc, attempt)))) return;
        return onAlert({ kind: "paused", ...about, reason: verdict.reason });
      case "resume":
        if (!(await change(attempt, "resume", (doc) => assessWebhook(doc, attempt)))) return;
        return onAlert({ kind: "resumed", ...about });
    }
  }

  return {
    /** Reports an attempt; what follows from it is written in the background. */
    report(attempt: ReportedAttempt): void {
      const { orgId, webhookId, result, exhausted } = attempt;
      if (result === "delivered") failingSince.delete(webhookId);
      else if (!failingSince.has(webhookId)) failingSince.set(webhookId, clock.now());
      if (exhausted) onAlert({ kind: "exhausted", orgId, webhookId });
      const webhook = find(attempt);
      if (webhook === undefined || assessWebhook(webhook, attempt).kind === "none") return;
      const work = mutex(webhookId, () => act(attempt))
        .catch(onTrouble)
        .finally(() => working.delete(work));
      working.add(work);
    },

    /** Resolves with true for one of the processes that see that a probe of a paused webhook is due. */
    async takeProbe({
      id,
      org_id: orgId,
      health,
    }: Pick<Resource<"outgoing_webhook">, "id" | "org_id" | "health">): Promise<boolean> {
      const next = nextProbe(health, clock.now(), terms);
      if (next === null) return false;
      let isOurs = false;
      const written = await writeHealth({ orgId, webhookId: id }, (stored) => {
        isOurs = stored?.next_probe_at === health?.next_probe_at;
        return isOurs && stored ? { ...stored, next_probe_at: next.next_probe_at } : stored;
      });
      return written && isOurs;
    },

    /** Resolves when what was reported has been acted on. */
    async close(): Promise<void> {
      await Promise.all(working);
    },
  };
}
export type HealthMonitor = ReturnType<typeof createHealthMonitor>;

/** Writes health, and the pause for it, into webhooks' documents. */
function createHealthWriter({ database, snapshot, edit }: HealthMonitorDeps) {
  /** Pauses or resumes; resolves with false if the document as it now stands asks for something else. */
  async function change(
    { orgId, webhookId }: WebhookRef,
    action: "pause" | "resume",
    assessNow: (state: WebhookState) => Verdict,
  ): Promise<boolean> {
    let changed = false;
    const apply = (doc: Document, now: number): Document => {
      const verdict = assessNow(doc as WebhookState);
      changed = verdict.kind === action;
      if (!changed) return doc;
      if (verdict.kind !== "pause") return { ...doc, pause: null, health: null };
      const pause = toPauseState({ unlimited: true, reason: verdict.reason }, pausedBySystem, now);
      return { ...doc, pause, health: verdict.health };
    };
    await edit(outgoingWebhook, actorOf(orgId), { id: webhookId, action, apply });
    return changed;
  }

  /** Not a change of its owner's, so without an audit record; resolves with false if another change came first. */
  async function writeHealth({ orgId, webhookId }: WebhookRef, next: (health: Health) => Health): Promise<boolean> {
    const isWritten = await database.transaction(async (db) => {
      const stored = await findDocument(db, orgId, outgoingWebhook.type, webhookId);
      if (stored === null) return false;
      const doc = { ...stored.doc, health: next((stored.doc["health"] ?? null) as Health) };
      if (!(await updateDocument(db, stored, doc, null))) return false;
      await db.notify([{ orgId, type: outgoingWebhook.type, id: webhookId }]);
      return true;
    });
    if (isWritten) await snapshot.settled();
    return isWritten;
  }

  return { change, writeHealth };
}

const actorOf = (orgId: OrgId): Actor => ({
  caller: { orgId, actor: systemActor, admin: false, rights: allRights },
  requestId: null,
  sourceIp: null,
});

/** One line for so long of what can happen at every call. */
const alertEveryMs = 10 * 60 * 1000;
const mostWebhooks = 10_000;

/**
 * Throttles alerts: of deliveries of one webhook that have failed for good one in ten minutes is passed on, with their
 * number, as each has its record in the history. All others are passed on at once.
 */
export function throttleAlerts(clock: Pick<Clock, "now">, send: (alert: DeliveryAlert, count: number) => void) {
  const exhausted = new Map<string, { sentAt: number; count: number }>();

  return (alert: DeliveryAlert): void => {
    if (alert.kind !== "exhausted") {
      send(alert, 1);
      return;
    }
    const known = exhausted.get(alert.webhookId);
    const count = (known?.count ?? 0) + 1;
    if (known !== undefined && clock.now() - known.sentAt < alertEveryMs) {
      known.count = count;
      return;
    }
    if (exhausted.size >= mostWebhooks) exhausted.clear();
    exhausted.set(alert.webhookId, { sentAt: clock.now(), count: 0 });
    send(alert, count);
  };
}
