import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import { pinoHttp } from "pino-http";

const requestIdPattern = /^[\w.:-]{1,128}$/;

/** Returns the client's X-Request-Id if it is valid, else a new id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && requestIdPattern.test(given) ? given : randomUUID();
}

/** Logs one line for each finished request, with `response.err` if it failed. */
export function requestLog(logger: Logger) {
  return pinoHttp({
    logger,
    genReqId(request, response) {
      const id = requestIdOf(request);
      response.setHeader("X-Request-Id", id);
      return id;
    },
    customLogLevel: (_request, { err, statusCode }) => (err !== undefined || statusCode >= 500 ? "error" : "debug"),
    customErrorMessage: (_request, { writableFinished }) => (writableFinished ? "request failed" : "answer cut"),
    // Paths only: queries and headers contain keys and callers' numbers.
    serializers: {
      req: (request) => ({ id: request.id, method: request.method, path: String(request.url).split("?")[0] }),
      res: (response) => ({ status: response.statusCode }),
    },
  });
}
