import type { IncomingMessage, ServerResponse } from "node:http";
import { parseTraceparent, type Tracing } from "../../ingest/tracing.ts";

/** What is asked every few seconds by machines: it would be most of what a backend keeps. */
const untraced = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;

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
