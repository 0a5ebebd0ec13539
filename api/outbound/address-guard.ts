import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError";
  readonly code = "address_blocked";
  /** Names no address: a client that only knows the name must not learn it. */
  constructor(host: string) {
    super(`${host} is not on the public internet: requests go to public addresses only.`);
  }
}

/**
 * Returns true for an address on the public internet; false for loopback, private, link-local with cloud metadata,
 * carrier-grade NAT, multicast, reserved, and the IPv6 forms that stand for an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` unwraps IPv4-mapped IPv6; NAT64, 6to4 and Teredo have ranges of their own and are no unicast here.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}

/** All of IPv6 that is assigned; the library calls the rest unicast, too. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A resolver for connections that accepts public addresses only: it checks after DNS, when it connects. */
export const createPublicOnlyLookup =
  (resolve: Resolve = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 4);
      const blocked = addresses.find(({ address }) => !isPublicAddress(address));
      if (blocked) return callback(new BlockedAddressError(hostname), "", 4);
      const [first] = addresses;
      if (first === undefined) return callback(new Error(`${hostname} has no address`), "", 4);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

/** Refuses a private address in the URL itself, which no resolver sees. */
export function refusePrivateHost(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(host) && !isPublicAddress(host)) throw new BlockedAddressError(url.hostname);
}
