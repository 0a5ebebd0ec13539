import type { Logger } from "pino";
import { pinoHttp } from "pino-http";
import { requestIdOf } from "./request-id.ts";

/** One line for each request, when it is over; with `response.err`, where it failed. */
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
    // Paths only: queries and headers carry keys and callers' numbers.
    serializers: {
      req: (request) => ({ id: request.id, method: request.method, path: String(request.url).split("?")[0] }),
      res: (response) => ({ status: response.statusCode }),
    },
  });
}
