import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import express, { type Express } from "express";
import type { Logger } from "pino";
import { pinoHttp } from "pino-http";
import type { Assistant } from "../../assistant/assistant.ts";
import type { Clock } from "../../ingest/clock.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { Snapshot } from "../config/snapshot.ts";
import { assistantRoutes } from "../reporting/assistant-routes.ts";
import type { Calls } from "../telephony/calls.ts";
import { simulatorRoutes } from "../telephony/simulator-routes.ts";
import { historyRoutes } from "../webhooks/history-routes.ts";
import type { Authenticate, AuthenticateUser } from "./auth.ts";
import { answerErrors, answerNotFound } from "./error-answers.ts";
import { type Health, healthRoutes } from "./health.ts";
import { type PageSession, pageRoutes } from "./page-routes.ts";

export interface AppDeps {
  readonly warehouse: Warehouse;
  readonly snapshot: Snapshot;
  readonly assistant: Assistant;
  readonly calls: Calls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly health: Health;
  readonly authenticate: Authenticate;
  readonly authenticateUser: AuthenticateUser;
  readonly pageSession: PageSession;
  readonly maxBodyBytes: number;
}

/** Everything that is served, on one port (architecture: Modes). */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.use(requestLog(deps.logger));
  app.use(healthRoutes(deps.health));
  app.use(express.json({ limit: deps.maxBodyBytes }));
  app.use("/telephony/simulator", simulatorRoutes(deps));
  app.use("/api/v1/webhooks", historyRoutes(deps));
  app.use("/reporting_ai", assistantRoutes(deps));
  app.use(
    pageRoutes({
      session: deps.pageSession,
      folder: fileURLToPath(new URL("../../assistant/web/dist", import.meta.url)),
    }),
  );
  app.use(answerNotFound);
  app.use(answerErrors);
  return app;
}

const requestId = /^[\w.:-]{1,128}$/;

function requestLog(logger: Logger) {
  return pinoHttp({
    logger,
    genReqId(request, response) {
      const given = request.headers["x-request-id"];
      const id = typeof given === "string" && requestId.test(given) ? given : randomUUID();
      response.setHeader("X-Request-Id", id);
      return id;
    },
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? "error" : "debug"),
    // Paths only: queries and headers carry keys and callers' numbers.
    serializers: {
      req: (request) => ({ id: request.id, method: request.method, path: String(request.url).split("?")[0] }),
      res: (response) => ({ status: response.statusCode }),
    },
  });
}
