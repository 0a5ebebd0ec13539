import express, { type Express, type Router } from "express";
import type { Logger } from "pino";
import { eventTypes } from "./config/event-types.ts";
import { mcpRoutes } from "./mcp/mcp-routes.ts";
import type { AuthorizationServer } from "./mcp/resource-metadata.ts";
import { docsRoutes } from "./serve/docs.ts";
import { answerErrors, answerNotFound } from "./serve/error-answers.ts";
import { type Health, healthRoutes } from "./serve/health.ts";
import { type Operation, type OperationGuards, operationRoutes, type ServedBy } from "./serve/operation.ts";
import { type PageSession, pageRoutes } from "./serve/page-routes.ts";
import { requestLog } from "./serve/request-log.ts";

export interface AppDeps {
  readonly operations: readonly Operation[];
  readonly guards: OperationGuards;
  readonly logger: Logger;
  readonly health: Health;
  /** `/metrics`; null if it has a port of its own. */
  readonly metrics: Router | null;
  readonly pageSession: PageSession;
  readonly served: ServedBy;
  /** Where users sign in; null without an identity provider. */
  readonly authorization: AuthorizationServer | null;
}

/** The Express app of everything that is served on the main port (architecture: Modes). */
export function createApp(deps: AppDeps): Express {
  const { operations, guards, logger, health, metrics, pageSession, served, authorization } = deps;
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.use(requestLog(logger));
  app.use(operationRoutes(operations, guards, served));
  app.use(healthRoutes(health));
  if (metrics !== null) app.use(metrics);
  app.use(mcpRoutes(operations, guards, served, { logger, authorization }));
  app.use(docsRoutes(operations, eventTypes, served.publicUrl));
  app.use(pageRoutes(pageSession, served.addressOf));
  app.use(answerNotFound);
  app.use(answerErrors);
  return app;
}

/** The Express app of a process without the API: health and metrics. */
export function createWorkerApp({ logger, health, metrics }: Pick<AppDeps, "logger" | "health" | "metrics">): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(requestLog(logger));
  app.use(healthRoutes(health));
  if (metrics !== null) app.use(metrics);
  app.use(answerNotFound);
  app.use(answerErrors);
  return app;
}

/** The Express app of METRICS_PORT. */
export function createMetricsApp(logger: Logger, metrics: Router): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(requestLog(logger), metrics, answerNotFound, answerErrors);
  return app;
}
