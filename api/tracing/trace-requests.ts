import type { IncomingMessage, ServerResponse } from "node:http";
import { parseTraceparent, type Tracing } from "../../ingest/tracing.ts";

declare module "node:http" {
  interface IncomingMessage {
    /** The span within which the request is served; undefined where it is not traced. */
    traceparent?: string;
  }
}

/** Paths that machines ask every few seconds: they would be most of what a backend keeps. */
const untraced = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;

/** Returns the id of a request's trace as a field of log lines; none where it is not traced. */
export const traceIdOf = ({ traceparent }: IncomingMessage): { readonly trace_id?: string } =>
  traceparent === undefined ? {} : { trace_id: traceparent.slice(3, 35) };

/** Methods that OpenTelemetry names; others are one. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Serves a request within a span, which continues the client's trace. It has the route's template and no address: that
 * holds keys and callers' numbers. `routeOf` is asked when the answer has ended.
 */
export function traceRequest(
  tracing: Tracing,
  request: IncomingMessage,
  response: ServerResponse,
  { serve, routeOf }: { serve(): void; routeOf(): string | null },
): void {
  if (untraced.test(request.url ?? "")) {
    serve();
    return;
  }
  const given = request.method ?? "";
  const method = methods.has(given) ? given : "_OTHER";
  const span = tracing.start(method, {
    kind: "server",
    parent: parseTraceparent(request.headers["traceparent"]) ?? null,
    attributes: {
      "http.request.method": method,
      "url.scheme": "http",
      "network.protocol.version": request.httpVersion,
    },
  });
  request.traceparent = span.traceparent;
  response.once("close", () => {
    const route = routeOf();
    const { statusCode, headersSent, writableFinished } = response;
    if (headersSent) span.set({ "http.response.status_code": statusCode });
    if (route !== null) span.set({ "http.route": route }, `${method} ${route}`);
    if (statusCode >= 500) span.fail(String(statusCode));
    else if (!writableFinished) span.set({ "error.type": "client_closed" });
    span.end();
  });
  tracing.within(span, serve);
}
