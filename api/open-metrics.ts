import type { RequestHandler, Router } from "express";
import { createMetricsApp } from "./app.ts";
import { createFailedSignIns } from "./auth/failed-sign-ins.ts";
import { metricsRoutes } from "./metrics/metrics-routes.ts";
import type { Base } from "./process/base.ts";
import { createAddressOf } from "./serve/caller-address.ts";
import { areEqualSecrets } from "./serve/equal-secrets.ts";
import { unauthorized, wrongCredentials } from "./serve/errors.ts";
import { serve } from "./serve/http-server.ts";
import { toTrust } from "./settings/trust-proxy.ts";

/** `/metrics` of a process: beside all else that it serves, or on a port of its own; for anybody, or by a token. */
export function createMetricsFront(base: Base) {
  const { settings, metrics, logger, closers } = base;
  const { HOST, METRICS_PORT } = settings;
  const routes = metricsRoutes(metrics, requireToken(base));
  return {
    /** Null where they have a port of their own. */
    besideAll: METRICS_PORT === undefined ? routes : null,
    async listen(): Promise<void> {
      if (METRICS_PORT === undefined) return;
      const server = await serve(createMetricsApp(logger, routes), { HOST, PORT: METRICS_PORT }, "METRICS_PORT");
      const { url } = closers.add("metrics server", server);
      logger.info({ url: `${url}/metrics` }, "Metrics are served apart");
    },
  };
}
export type MetricsFront = { readonly besideAll: Router | null };

function requireToken({ settings, clock, metrics }: Base): RequestHandler {
  const { METRICS_TOKEN: token, FAILED_SIGN_INS_PER_MIN: perMinute } = settings;
  if (token === undefined) return (_request, _response, next) => next();
  const addressOf = createAddressOf(toTrust(settings.TRUST_PROXY));
  const failedSignIns = createFailedSignIns({ perMinute, clock, onFailed: metrics.signInFailed });
  return async (request, response, next) => {
    response.set("WWW-Authenticate", "Bearer");
    await failedSignIns.watch({ address: addressOf(request), scheme: "metrics_token" }, () => {
      const [, given] = /^bearer +(\S+)$/i.exec(request.get("Authorization") ?? "") ?? [];
      if (given === undefined) throw unauthorized("Send METRICS_TOKEN in the Authorization header: Bearer <TOKEN>.");
      if (!areEqualSecrets(given, token))
        throw wrongCredentials("This is not the token that METRICS_TOKEN was set to.");
    });
    response.removeHeader("WWW-Authenticate");
    next();
  };
}
