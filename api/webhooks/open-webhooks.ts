import type { AppContext } from "../app-context.ts";
import type { ConfigContext, ConfigService } from "../config/open-config.ts";
import type { Routing } from "../routing/open-routing.ts";
import type { Settings } from "../settings/settings.ts";
import type { OpenCallStore } from "../telephony/open-calls.ts";
import { createDeliveryParts, type DeliveryTerms, openDelivery } from "./deliver/open-delivery.ts";
import { createSender, type Sender } from "./deliver/send.ts";
import { createReceiver } from "./receive/receiver.ts";
import { createRedeliveries } from "./redeliver/redeliveries.ts";

/** Opens the delivery of call events to customers' systems. */
export function openDeliverer(context: ConfigContext, { service }: Pick<ConfigService, "service">) {
  const { settings, snapshot, logger, shutdown } = context;
  return shutdown.add(
    "deliverer",
    openDelivery({
      ...deliveryDepsOf(context),
      log: context.log,
      snapshot,
      edit: service.edit,
      isAlone: settings.DATABASE_URL === undefined,
      onAlert: (alert, count) => logger.warn({ ...alert, count }, "outgoing webhook"),
    }),
  );
}

/** Opens what a process needs that leaves deliveries to others, and requests them: attempts of tests, redeliveries. */
export function openDeliveryParts(context: ConfigContext) {
  const delivery = createDeliveryParts(deliveryDepsOf(context));
  context.shutdown.add("pending deliveries", delivery.pending);
  return delivery;
}

function deliveryDepsOf({ settings, log, database, clock, shutdown, metrics, tracing, onTrouble }: ConfigContext) {
  const { send } = shutdown.add(
    "webhook sender",
    createSender({ allowPrivateDestinations: settings.ALLOW_PRIVATE_DESTINATIONS }),
  );
  const sender: Pick<Sender, "send"> = {
    async send(request) {
      const exchange = await send(request);
      metrics.delivered(exchange.outcome, exchange.elapsedMs);
      return exchange;
    },
  };
  const terms = deliveryTermsOf(settings);
  return { log, database, sender, clock, terms, tracing, random: Math.random, onTrouble: onTrouble("deliver") };
}

export interface WebhookDeps {
  readonly openCalls: OpenCallStore;
  readonly live: Routing["live"];
  /** Called when redeliveries were queued that are due. */
  onDue(): void;
}

/** Opens the receiver of customers' systems, and redeliveries. */
export async function openWebhooks(context: AppContext, { openCalls, live, onDue }: WebhookDeps) {
  const { clock, shutdown, log, warehouse, dialects, database, snapshot, onTrouble } = context;
  const redeliveries = shutdown.add(
    "redeliveries",
    createRedeliveries({
      database,
      warehouse,
      dialect: dialects.report,
      snapshot,
      clock,
      onDue,
      onTrouble: onTrouble("redeliver"),
    }),
  );
  const receiver = shutdown.add(
    "webhook receiver",
    createReceiver({
      database,
      log,
      warehouse,
      openCalls,
      clock,
      onTrouble: onTrouble("receiver"),
      statsOf: live.statsOf,
    }),
  );
  // Requests that an earlier run had accepted and not finished.
  await receiver.sweep().catch(onTrouble("receiver"));
  return { redeliveries, receiver };
}

const deliveryTermsOf = (settings: Settings): DeliveryTerms => ({
  pausesMs: settings.WEBHOOK_RETRY_SECONDS.map((seconds) => seconds * 1000),
  pauseAfterMs: settings.WEBHOOK_PAUSE_AFTER_HOURS * 60 * 60 * 1000,
  probeEveryMs: settings.WEBHOOK_PROBE_MINUTES * 60 * 1000,
  keepMs: settings.WEBHOOK_KEEP_DAYS * 24 * 60 * 60 * 1000,
});
