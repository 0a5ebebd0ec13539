import type { HistoryDialect } from "../../warehouse/history-dialect.ts";
import type { ResourceService } from "../config/service.ts";
import type { Parts } from "../parts.ts";
import type { Routing } from "../routing/open-routing.ts";
import type { Settings } from "../settings.ts";
import type { OpenCallStore } from "../telephony/open-calls.ts";
import { type DeliveryTerms, openDelivery } from "./deliver/open-delivery.ts";
import { createSender } from "./deliver/send.ts";
import { createReceiver } from "./receive/receiver.ts";
import { createRedeliveries } from "./redeliver/redeliveries.ts";

export interface WebhookDeps {
  readonly service: Pick<ResourceService, "edit">;
  readonly dialect: HistoryDialect;
  readonly openCalls: OpenCallStore;
  readonly live: Routing["live"];
}

/** What tells customers' systems of calls, and what hears from them. */
export async function openWebhooks(parts: Parts, { service, dialect, openCalls, live }: WebhookDeps) {
  const { settings, clock, logger, closers, log, warehouse, database, snapshot, onTrouble } = parts;
  const sender = closers.add(createSender({ allowPrivateDestinations: settings.ALLOW_PRIVATE_DESTINATIONS }));
  const delivery = closers.add(
    openDelivery({
      ...{ log, database, snapshot, edit: service.edit, sender, clock, random: Math.random },
      ...{ terms: deliveryTermsOf(settings), onTrouble: onTrouble("deliver") },
      isAlone: settings.DATABASE_URL === undefined,
      onNotice: (notice, count) => logger.warn({ ...notice, count }, "outgoing webhook"),
    }),
  );
  const redeliveries = closers.add(
    createRedeliveries({
      ...{ database, warehouse, dialect, snapshot, clock },
      ...{ onDue: delivery.retries.nudge, onTrouble: onTrouble("redeliver") },
    }),
  );
  const receiver = closers.add(
    createReceiver({
      ...{ database, log, warehouse, openCalls, clock, onTrouble: onTrouble("receiver") },
      earlierCalls: (orgId, caller) => live.factsOf(orgId).earlierCalls(caller),
    }),
  );
  // What an earlier run had accepted but not yet done.
  await receiver.tidy().catch(onTrouble("receiver"));
  return { delivery, redeliveries, receiver };
}
export type Webhooks = Awaited<ReturnType<typeof openWebhooks>>;

const deliveryTermsOf = (settings: Settings): DeliveryTerms => ({
  pausesMs: settings.WEBHOOK_RETRY_SECONDS.map((seconds) => seconds * 1000),
  pauseAfterMs: settings.WEBHOOK_PAUSE_AFTER_HOURS * 60 * 60 * 1000,
  probeEveryMs: settings.WEBHOOK_PROBE_MINUTES * 60 * 1000,
  keepMs: settings.WEBHOOK_KEEP_DAYS * 24 * 60 * 60 * 1000,
});
