import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { traceIdOf } from "../tracing/trace-requests.ts";

declare module "node:http" {
  interface IncomingMessage {
    /** The answer's X-Request-Id; set by the request log. */
    id: string;
  }
  interface ServerResponse {
    /** Why the answer failed, for the request log. */
    err?: unknown;
  }
}

const requestIdPattern = /^[\w.:-]{1,128}$/;

/** Returns the client's X-Request-Id if it is valid, else a new id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && requestIdPattern.test(given) ? given : randomUUID();
}

/**
 * Logs one line for each answered request, with `response.err` if it failed; others at level debug. Lines have paths only:
 * queries and headers contain keys and callers' numbers.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    request.id = requestIdOf(request);
    response.setHeader("X-Request-Id", request.id);
    response.once("close", () => {
      const { err, statusCode: status, writableFinished } = response;
      const isFailed = err !== undefined || status >= 500;
      if (!isFailed && !logger.isLevelEnabled("debug")) return;
      const { id, method, originalUrl } = request;
      const line = {
        req: { id, method, path: originalUrl.split("?")[0] },
        res: { status },
        responseTime: Math.round(performance.now() - startedAt),
        ...traceIdOf(request),
      };
      if (isFailed) logger.error({ ...line, err }, writableFinished ? "request failed" : "answer cut");
      else logger.debug(line, writableFinished ? "request completed" : "request aborted");
    });
    next();
  };
}
