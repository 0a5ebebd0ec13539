import type { Attributes, SpanOptions } from "../../ingest/tracing.ts";
import type { OutboundRequest } from "../outbound/http-client.ts";

/**
 * Returns the span of a request to a customer's system: its method and host, and neither path nor query nor headers, which
 * hold keys and callers' numbers. The request itself carries no traceparent: customers' servers get what was configured.
 */
export function exchangeSpan(
  { method, url, address }: Pick<OutboundRequest, "method" | "url" | "address">,
  attributes: Attributes = {},
): { readonly name: string } & SpanOptions {
  const to = address ?? (URL.canParse(url) ? new URL(url) : null);
  const server: Attributes =
    to === null
      ? {}
      : {
          "server.address": to.hostname,
          "server.port": Number(to.port) || (to.protocol === "https:" ? 443 : 80),
          "url.scheme": to.protocol.slice(0, -1),
        };
  return { name: method, kind: "client", attributes: { "http.request.method": method, ...server, ...attributes } };
}
