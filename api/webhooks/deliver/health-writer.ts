import type { OrgId } from "../../../ingest/primitives.ts";
import type { Actor } from "../../config/audit-outbox.ts";
import { type Health, pausedBySystem, systemActor, type WebhookState } from "../../config/delivery-state.ts";
import type { Document } from "../../config/document.ts";
import { findDocument, updateDocument } from "../../config/documents.ts";
import { toPauseState } from "../../config/pause.ts";
import { outgoingWebhook } from "../../config/resources/outgoing-webhook.ts";
import type { ResourceService } from "../../config/service.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import type { Verdict } from "./health.ts";

export interface HealthWriterDeps {
  readonly database: Database;
  readonly snapshot: Pick<Snapshot, "settled">;
  readonly edit: ResourceService["edit"];
}

interface WhichWebhook {
  readonly orgId: OrgId;
  readonly webhookId: string;
}

/** Writes into a webhook's document what is known of it: its health, and that it is paused for it. */
export function createHealthWriter({ database, snapshot, edit }: HealthWriterDeps) {
  /** Pauses or resumes; false where that is not what is to be done with the document as it now stands. */
  async function change(
    { orgId, webhookId }: WhichWebhook,
    action: "pause" | "resume",
    judge: (state: WebhookState) => Verdict,
  ): Promise<boolean> {
    let changed = false;
    const apply = (doc: Document, now: number): Document => {
      const verdict = judge(doc as WebhookState);
      changed = verdict.kind === action;
      if (!changed) return doc;
      if (verdict.kind !== "pause") return { ...doc, pause: null, health: null };
      const pause = toPauseState({ unlimited: true, reason: verdict.reason }, pausedBySystem, now);
      return { ...doc, pause, health: verdict.health };
    };
    await edit(outgoingWebhook, actorOf(orgId), { id: webhookId, action, apply });
    return changed;
  }

  /** Not a change of its owner's, so without an audit record; false when another one came first. */
  async function writeHealth({ orgId, webhookId }: WhichWebhook, next: (health: Health) => Health): Promise<boolean> {
    const isWritten = await database.transaction(async (db) => {
      const stored = await findDocument(db, orgId, outgoingWebhook.type, webhookId);
      if (stored === null) return false;
      const doc = { ...stored.doc, health: next((stored.doc["health"] ?? null) as Health) };
      if (!(await updateDocument(db, stored, doc, null))) return false;
      await db.announce([{ orgId, type: outgoingWebhook.type, id: webhookId }]);
      return true;
    });
    if (isWritten) await snapshot.settled();
    return isWritten;
  }

  return { change, writeHealth };
}

const actorOf = (orgId: OrgId): Actor => ({
  caller: { orgId, actor: systemActor, admin: false },
  requestId: null,
  sourceIp: null,
});
