import type { IncomingMessage, RequestListener } from "node:http";
import type { Metrics } from "./metrics/metrics.ts";
import { typesByPath } from "./webhooks/receive/kinds.ts";

/** Tells how long each answer took, by the operation that gave it; what no operation answered is "other". */
export function timed({ answered }: Pick<Metrics, "answered">, listener: RequestListener): RequestListener {
  return (request, response) => {
    const began = performance.now();
    const path = apartOf(request.url ?? "");
    response.once("close", () => {
      const found = path ?? routeOf(request);
      // Of what no operation answered the method is anybody's word: it would make a series of its own.
      const operation = found === null ? "other" : `${request.method} ${found}`;
      answered(operation, response.statusCode, performance.now() - began);
    });
    listener(request, response);
  };
}

/** Of what is served in front of Express. */
function apartOf(url: string): string | null {
  if (url.startsWith("/inbound_rtb/")) return "/inbound_rtb/{rtb_id}";
  const name = /^\/([a-z-]+)\/?(?:\?|$)/.exec(url)?.[1] ?? "";
  return typesByPath.has(name) ? `/${name}` : null;
}

/** Express leaves on a request the route that it found for it: the path as the table of operations has it. */
function routeOf(request: IncomingMessage & { readonly route?: { readonly path?: unknown } }): string | null {
  const path = request.route?.path;
  return typeof path === "string" ? path.replace(/:(\w+)/g, "{$1}") : null;
}
