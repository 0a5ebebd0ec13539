import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import type { Trust } from "../settings/trust-proxy.ts";

type Asking = Pick<IncomingMessage, "headers"> & { readonly socket: { readonly remoteAddress?: string | undefined } };

/** The address of whoever sent a request: of the connection, or what proxies that are trusted say of it. */
export type AddressOf = (request: Asking) => string | null;

/**
 * Goes from the connection's address along `X-Forwarded-For`, which each proxy appends its client to, for as long as what
 * says so is trusted. An entry that is no address ends the way: whoever wrote it knows no better.
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

/** In its usual form, without a port and without the IPv6 form of an IPv4 address. */
function toAddress(text: string): string | null {
  const [, bracketed, dotted, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+)(?::\d+)?|(.*))$/.exec(text.trim()) ?? [];
  const bare = bracketed ?? dotted ?? plain ?? "";
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return isAddress ? ipaddr.process(bare).toString() : null;
}
