import { type RequestHandler, Router } from "express";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Metrics } from "./metrics.ts";

/** Memory, event loop and garbage of the process. It is watched once, however many platforms run in it, as in tests. */
let ofProcess: Registry | null = null;

function processRegistry(): Registry {
  if (ofProcess !== null) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

/** `/metrics`, in Prometheus' text form, for whoever `admit` lets in. */
export function metricsRoutes({ registry }: Pick<Metrics, "registry">, admit: RequestHandler): Router {
  const router = Router();
  const all = Registry.merge([registry, processRegistry()]);
  router.get("/metrics", admit, async (_request, response) => {
    response.set("Content-Type", all.contentType).send(await all.metrics());
  });
  return router;
}
