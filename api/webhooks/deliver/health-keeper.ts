import type { Clock } from "../../../ingest/clock.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { WebhookState } from "../../config/delivery-state.ts";
import type { Resource } from "../../config/registry.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import { type HealthTerms, judge, type Seen, type Verdict } from "./health.ts";
import { createHealthWriter, type HealthWriterDeps } from "./health-writer.ts";
import { createInOrder } from "./in-order.ts";
import { type Probed, takeProbe } from "./take-probe.ts";

/** What operators are told of. */
export interface DeliveryNotice {
  readonly kind: "failing" | "recovered" | "paused" | "resumed" | "exhausted";
  readonly orgId: string;
  readonly webhookId: string;
  readonly reason?: string;
}

export interface HealthKeeperDeps extends HealthWriterDeps {
  readonly snapshot: Pick<Snapshot, "config" | "settled">;
  readonly clock: Clock;
  readonly terms: HealthTerms;
  onNotice(notice: DeliveryNotice): void;
  onTrouble(error: unknown): void;
}

type Webhook = Resource<"outgoing_webhook">;
export interface Ended extends Pick<Seen, "result" | "exhausted"> {
  readonly orgId: OrgId;
  readonly webhookId: string;
}

/**
 * Watches how webhooks fare and pauses and resumes them. What is known stands in their documents: so every process sees
 * it in its snapshot, and the owner in the answers. Pausing and resuming are changes like any other, with an audit record.
 */
export function createHealthKeeper({ database, snapshot, edit, clock, terms, ...tell }: HealthKeeperDeps) {
  const failingSince = new Map<string, number>();
  const inOrder = createInOrder();
  const working = new Set<Promise<unknown>>();
  const { change, writeHealth } = createHealthWriter({ database, snapshot, edit });

  const judged = (webhook: WebhookState, { webhookId, ...ended }: Ended): Verdict => {
    const now = clock.now();
    return judge(webhook, { ...ended, now, failingSince: failingSince.get(webhookId) ?? now }, terms);
  };
  const find = ({ orgId, webhookId }: Pick<Ended, "orgId" | "webhookId">): Webhook | undefined =>
    snapshot.config(orgId)?.get("outgoing_webhook", webhookId);

  async function act(ended: Ended): Promise<void> {
    const webhook = find(ended);
    const verdict: Verdict = webhook === undefined ? { kind: "none" } : judged(webhook, ended);
    const about = { orgId: ended.orgId, webhookId: ended.webhookId };
    switch (verdict.kind) {
      case "none":
        return;
      case "note":
        if (!(await writeHealth(ended, () => verdict.health))) return;
        return tell.onNotice({ kind: verdict.health === null ? "recovered" : "failing", ...about });
      case "pause":
        if (!(await change(ended, "pause", (doc) => judged(doc, ended)))) return;
        return tell.onNotice({ kind: "paused", ...about, reason: verdict.reason });
      case "resume":
        if (!(await change(ended, "resume", (doc) => judged(doc, ended)))) return;
        return tell.onNotice({ kind: "resumed", ...about });
    }
  }

  return {
    /** Takes notice of an attempt; what follows from it is done in its own time. */
    note(ended: Ended): void {
      const { webhookId, result } = ended;
      if (result === "delivered") failingSince.delete(webhookId);
      else if (!failingSince.has(webhookId)) failingSince.set(webhookId, clock.now());
      if (ended.exhausted) tell.onNotice({ kind: "exhausted", orgId: ended.orgId, webhookId });
      const webhook = find(ended);
      if (webhook === undefined || judged(webhook, ended).kind === "none") return;
      const work = inOrder(webhookId, () => act(ended))
        .catch(tell.onTrouble)
        .finally(() => working.delete(work));
      working.add(work);
    },

    /** Whether this process is the one to probe a paused webhook now. */
    takeProbe: (webhook: Probed): Promise<boolean> => takeProbe({ writeHealth, clock, terms }, webhook),

    /** Resolves when what was noticed has been acted on. */
    async close(): Promise<void> {
      await Promise.all(working);
    },
  };
}
export type HealthKeeper = ReturnType<typeof createHealthKeeper>;
