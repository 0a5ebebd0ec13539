import type { RequestListener } from "node:http";
import { createApp } from "./app.ts";
import { createFailedSignIns } from "./auth/failed-sign-ins.ts";
import { createGuards } from "./auth/guards.ts";
import type { VerifyToken } from "./auth/tokens.ts";
import type { MetricsFront } from "./open-metrics.ts";
import type { Parts } from "./parts.ts";
import type { InboundPings } from "./routing/inbound/inbound-pings.ts";
import { inFront } from "./routing/inbound/ping-route.ts";
import { createAddressOf } from "./serve/caller-address.ts";
import { openLimiters } from "./serve/open-limiters.ts";
import type { Operation } from "./serve/operation.ts";
import type { PageSession } from "./serve/page-routes.ts";
import { toTrust } from "./settings/trust-proxy.ts";
import { storeChecks } from "./store-checks.ts";
import { timed } from "./timed.ts";
import type { Receiver } from "./webhooks/receive/receiver.ts";
import { receiving } from "./webhooks/receive/route.ts";

interface Served {
  readonly operations: readonly Operation[];
  readonly pings: InboundPings;
  readonly receiver: Receiver;
  readonly verifyToken: VerifyToken;
  readonly metricsFront: MetricsFront;
}

/** What answers every request of a platform, by how its page signs in: pings first, then what is received, then the app. */
export async function openFront(parts: Parts, served: Served) {
  const { operations, pings, receiver, verifyToken, metricsFront } = served;
  const { settings, snapshot, warehouse, database, log, clock, logger, metrics, closers } = parts;
  const { MAX_BODY_BYTES: maxBodyBytes } = settings;
  const addressOf = createAddressOf(toTrust(settings.TRUST_PROXY));
  const limiters = await openLimiters(parts);
  const perMinute = settings.FAILED_SIGN_INS_PER_MIN;
  const failedSignIns = createFailedSignIns({ perMinute, clock, onFailed: metrics.signInFailed });
  const pingRoute = { pings, find: snapshot.inboundRtb, limiters, logger };
  const receiveRoute = {
    receiver,
    find: snapshot.incomingWebhook,
    log,
    limiters,
    failedSignIns,
    addressOf,
    metrics,
    clock,
    logger,
    maxBodyBytes,
  };
  const guards = createGuards({ snapshot, verifyToken, clock, limiters, failedSignIns, addressOf });
  const health = {
    ...storeChecks({ log, warehouse: settings.ANALYTICS ? warehouse : undefined, database }, settings),
    stopping: closers.closing,
  };
  return (pageSession: PageSession): RequestListener => {
    const app = createApp({
      operations,
      guards,
      logger,
      health,
      metrics: metricsFront.besideAll,
      pageSession,
      served: { maxBodyBytes, addressOf },
    });
    return timed(metrics, inFront(pingRoute, receiving(receiveRoute, app)));
  };
}
