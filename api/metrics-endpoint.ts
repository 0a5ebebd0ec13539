import { type RequestHandler, Router } from "express";
import { collectDefaultMetrics, Registry } from "prom-client";
import { createMetricsApp } from "./app.ts";
import { createFailedSignIns } from "./auth/failed-sign-ins.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { ProcessContext } from "./process/context.ts";
import { createAddressOf } from "./serve/caller-address.ts";
import { areEqualSecrets } from "./serve/equal-secrets.ts";
import { unauthorized, wrongCredentials } from "./serve/errors.ts";
import { serve } from "./serve/http-server.ts";
import { toTrust } from "./settings/trust-proxy.ts";

/** `/metrics` of a process, on its port or on METRICS_PORT, public or with METRICS_TOKEN. */
export function createMetricsEndpoint(context: ProcessContext) {
  const { settings, metrics, logger, shutdown } = context;
  const { HOST, METRICS_PORT, METRICS_TOKEN } = settings;
  const routes = metricsRoutes(metrics, { admit: requireToken(context), isSecret: METRICS_TOKEN !== undefined });
  return {
    /** Null if there is a METRICS_PORT. */
    onMainPort: METRICS_PORT === undefined ? routes : null,
    async listen(): Promise<void> {
      if (METRICS_PORT === undefined) return;
      const server = await serve(createMetricsApp(logger, routes), { HOST, PORT: METRICS_PORT }, "METRICS_PORT");
      const { url } = shutdown.add("metrics server", server);
      logger.info({ url: `${url}/metrics` }, "Metrics are served apart");
    },
  };
}
export type MetricsEndpoint = { readonly onMainPort: Router | null };

function requireToken({ settings, clock, metrics }: ProcessContext): RequestHandler {
  const { METRICS_TOKEN: token, FAILED_SIGN_INS_PER_MIN: perMinute } = settings;
  if (token === undefined) return (_request, _response, next) => next();
  const addressOf = createAddressOf(toTrust(settings.TRUST_PROXY));
  const failedSignIns = createFailedSignIns({ perMinute, clock, onFailed: metrics.signInFailed });
  return async (request, response, next) => {
    response.set("WWW-Authenticate", "Bearer");
    await failedSignIns.attempt({ address: addressOf(request), scheme: "metrics_token" }, () => {
      const [, given] = /^bearer +(\S+)$/i.exec(request.get("Authorization") ?? "") ?? [];
      if (given === undefined) throw unauthorized("Send METRICS_TOKEN in the Authorization header: Bearer <TOKEN>.");
      if (!areEqualSecrets(given, token))
        throw wrongCredentials("This is not the token that METRICS_TOKEN was set to.");
    });
    response.removeHeader("WWW-Authenticate");
    next();
  };
}

/** Memory, event loop and garbage collection of the process: collected once, however many platforms run in it, as in tests. */
let processMetrics: Registry | null = null;

function processRegistry(): Registry {
  if (processMetrics !== null) return processMetrics;
  processMetrics = new Registry();
  collectDefaultMetrics({ register: processMetrics });
  return processMetrics;
}

interface Admitting {
  readonly admit: RequestHandler;
  /** True where only who has a token is admitted. */
  readonly isSecret: boolean;
}

/**
 * Serves `/metrics` in Prometheus' text format, after the handler `admit`; and `/metrics/organizations`, which names
 * customers, where nobody is admitted without a token.
 */
function metricsRoutes({ registry, organizations }: Metrics, { admit, isSecret }: Admitting): Router {
  const router = Router();
  const all = Registry.merge([registry, processRegistry()]);
  router.get("/metrics", admit, async (_request, response) => {
    response.set("Content-Type", all.contentType).send(await all.metrics());
  });
  if (isSecret)
    router.get("/metrics/organizations", admit, async (_request, response) => {
      response.set("Content-Type", organizations.contentType).send(await organizations.metrics());
    });
  return router;
}
