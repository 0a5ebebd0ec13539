import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import type { Trust } from "../settings/trust-proxy.ts";

type ClientRequest = Pick<IncomingMessage, "headers"> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/** Returns a client's address: the connection's, or the one that trusted proxies forward. */
export type AddressOf = (request: ClientRequest) => string | null;

/**
 * Follows `X-Forwarded-For` from the connection's address back, as each proxy appends its client, while the proxies are
 * trusted. It stops at an entry that is not an address.
 */
export const createAddressOf =
  (trust: Trust): AddressOf =>
  ({ headers, socket }) => {
    const connected = toAddress(socket.remoteAddress ?? "");
    const forwarded = headers["x-forwarded-for"];
    if (connected === null || forwarded === undefined) return connected;
    let caller = connected;
    for (const [hop, entry] of [forwarded].flat().join(",").split(",").reverse().entries()) {
      const client: string | null = trust(caller, hop) ? toAddress(entry) : null;
      if (client === null) return caller;
      caller = client;
    }
    return caller;
  };

/** Normalizes an address: no port, no IPv6 form of an IPv4 address. Null for other text. */
function toAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const [, bracketed, dotted, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+)(?::\d+)?|(.*))$/.exec(text.trim()) ?? [];
  const bare = bracketed ?? dotted ?? plain ?? "";
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return isAddress ? ipaddr.process(bare).toString() : null;
}
