import ipaddr from "ipaddr.js";

/** A network and the length of its prefix. */
export type AddressRange = readonly [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * Parses an address or a range in CIDR notation, of IPv4 or IPv6; null for other text. What follows the prefix is cut off, so
 * that 10.1.2.3/8 is 10.0.0.0/8; a range of IPv4 addresses in IPv6 form is one of IPv4, as callers' addresses are.
 */
export function parseRange(text: string): AddressRange | null {
  const [address = "", bits, ...more] = text.split("/");
  const isAddress =
    ipaddr.IPv4.isValidFourPartDecimal(address) || (ipaddr.IPv6.isValid(address) && !address.includes("%"));
  if (!isAddress || more.length > 0) return null;
  const parsed = ipaddr.parse(address);
  const most = parsed.kind() === "ipv4" ? 32 : 128;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return null;
  const length = bits === undefined ? most : Number(bits);
  if (length > most) return null;
  if (parsed instanceof ipaddr.IPv4)
    return [ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/${length}`), length];
  if (parsed.isIPv4MappedAddress() && length >= 96)
    return parseRange(`${parsed.toIPv4Address().toString()}/${length - 96}`);
  return [ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${length}`), length];
}

/** Returns a range as it is stored and shown, such as 10.0.0.0/8. */
export const toRangeText = ([network, bits]: AddressRange): string => `${network.toString()}/${bits}`;

const contains = ([network, bits]: AddressRange, address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  network.kind() === address.kind() && address.match(network, bits);

/** True for an address in one of the ranges; an unknown one is in none. */
export const isInRanges = (ranges: readonly AddressRange[], address: string | null): boolean =>
  address !== null && ranges.some((range) => contains(range, ipaddr.process(address)));

/** Returns those of the ranges that are not wholly in one of the others. */
export const rangesBeyond = (wanted: readonly AddressRange[], own: readonly AddressRange[]): readonly AddressRange[] =>
  wanted.filter(([network, bits]) => !own.some((range) => range[1] <= bits && contains(range, network)));
