import type { IncomingMessage, RequestListener } from "node:http";
import type { Tracing } from "../ingest/tracing.ts";
import { createApp } from "./app.ts";
import type { AppContext } from "./app-context.ts";
import { authorizationServerOf, type VerifyToken } from "./auth/access-tokens.ts";
import { createFailedSignIns } from "./auth/failed-sign-ins.ts";
import { createGuards } from "./auth/guards.ts";
import { createRefusedKeys } from "./auth/refused-keys.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { MetricsEndpoint } from "./metrics-endpoint.ts";
import { readinessChecks } from "./readiness.ts";
import type { InboundPings } from "./routing/inbound/inbound-pings.ts";
import { withPingRoute } from "./routing/inbound/ping-route.ts";
import { createAddressOf } from "./serve/caller-address.ts";
import { openLimiters } from "./serve/limiters.ts";
import type { Operation } from "./serve/operation.ts";
import type { PageSession } from "./serve/page-routes.ts";
import { toReadOnly } from "./serve/read-only.ts";
import { toTrust } from "./settings/trust-proxy.ts";
import { traceRequest } from "./tracing/trace-requests.ts";
import { typesByPath } from "./webhooks/receive/bodies.ts";
import type { Receiver } from "./webhooks/receive/receiver.ts";
import { withReceiveRoute } from "./webhooks/receive/route.ts";

interface Served {
  readonly operations: readonly Operation[];
  readonly pings: InboundPings;
  readonly receiver: Receiver;
  readonly verifyToken: VerifyToken;
  readonly metricsEndpoint: MetricsEndpoint;
  /** Nothing may be changed. */
  readonly readOnly: boolean;
}

/** Creates the listener of a platform's requests: the routes of pings and of incoming webhooks stand before Express. */
export async function openRequestListener(context: AppContext, served: Served) {
  const { pings, receiver, verifyToken, metricsEndpoint, readOnly } = served;
  const operations = readOnly ? toReadOnly(served.operations) : served.operations;
  const { settings, snapshot, warehouse, database, log, clock, logger, metrics, tracing, shutdown } = context;
  const { MAX_BODY_BYTES: maxBodyBytes } = settings;
  const addressOf = createAddressOf(toTrust(settings.TRUST_PROXY));
  const limiters = await openLimiters(context);
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
  const guards = createGuards({
    snapshot,
    verifyToken,
    clock,
    limiters,
    failedSignIns,
    addressOf,
    refusedKeys: createRefusedKeys({ logger, clock, onRefused: metrics.keyRefused }),
  });
  const health = {
    ...readinessChecks({ log, warehouse: settings.ANALYTICS ? warehouse : undefined, database }, settings),
    stopping: shutdown.closing,
  };
  return (pageSession: PageSession): RequestListener => {
    const app = createApp({
      operations,
      guards,
      logger,
      health,
      metrics: metricsEndpoint.onMainPort,
      pageSession,
      authorization: authorizationServerOf(settings),
      served: { maxBodyBytes, addressOf, publicUrl: settings.PUBLIC_URL },
    });
    const served = readOnly ? app : withPingRoute(pingRoute, withReceiveRoute(receiveRoute, app));
    return timed(metrics, tracing === null ? served : traced(tracing, served));
  };
}

/** Traces each request by the path of its operation. */
const traced =
  (tracing: Tracing, listener: RequestListener): RequestListener =>
  (request, response) =>
    traceRequest(tracing, request, response, {
      serve: () => listener(request, response),
      routeOf: () => operationPathOf(request),
    });

/** Measures how long each answer took, by operation; requests that no operation took count as "other". */
function timed({ answered }: Pick<Metrics, "answered">, listener: RequestListener): RequestListener {
  return (request, response) => {
    const startedAt = performance.now();
    response.once("close", () => {
      const found = operationPathOf(request);
      // A method is part of the label only with a known path: anything else would let clients create series.
      const operation = found === null ? "other" : `${request.method} ${found}`;
      answered(operation, response.statusCode, performance.now() - startedAt);
    });
    listener(request, response);
  };
}

/** Returns the path, as the table of operations has it, of a request that was answered; null where none took it. */
const operationPathOf = (request: IncomingMessage): string | null =>
  pathBeforeExpress(request.url ?? "") ?? expressPathOf(request);

/** Returns the path, as the table of operations has it, of a route that stands before Express. */
function pathBeforeExpress(url: string): string | null {
  if (url.startsWith("/inbound_rtb/")) return "/inbound_rtb/{rtb_id}";
  const name = /^\/([a-z-]+)\/?(?:\?|$)/.exec(url)?.[1] ?? "";
  return typesByPath.has(name) ? `/${name}` : null;
}

/** Returns the path of the route that Express found, as the table of operations has it. */
function expressPathOf(request: IncomingMessage & { readonly route?: { readonly path?: unknown } }): string | null {
  const path = request.route?.path;
  return typeof path === "string" ? path.replace(/:(\w+)/g, "{$1}") : null;
}
