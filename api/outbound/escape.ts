/** Replaces control characters, which would end a header or make the request invalid. */
export const onOneLine = (value: string): string => value.replace(/\p{Cc}+/gu, " ");

/** Percent-encodes; half of a surrogate pair becomes the replacement character. */
export const encoded = (value: string): string => encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\ufffd"));

/** Encodes a path segment; `.` and `..` are encoded twice, as they would remove segments. */
export const inPath = (value: string): string =>
  /^\.{1,2}$/.test(value) ? value.replaceAll(".", "%252E") : encoded(value);

/** Returns the index at which the path of an address ends and its query begins. */
export const pathEndOf = (address: string): number => address.search(/[?#]|$/);

/**
 * Parses an address and adds parameters to it; null for one that is invalid. Its own query stays byte for byte, as it may
 * be signed.
 */
export function toAddress(address: string, params: readonly (readonly [name: string, value: string])[]): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (params.length === 0) return url;
  const added = new URLSearchParams();
  for (const [name, value] of params) added.append(name, value);
  url.search += `${url.search === "" ? "?" : "&"}${added}`;
  return url;
}

/** Adds parameters to an address. An invalid one stays as it is: sending it fails with the reason. */
export const withQuery = (address: string, params: readonly (readonly [name: string, value: string])[]): string =>
  toAddress(address, params)?.href ?? address;

/**
 * Parses a decimal that a JSON number can hold, else null: `0x1f` is no amount, and a long id would lose its last digits.
 */
export function toJsonNumber(text: string): number | null {
  if (!/^\s*-?\d+(\.\d+)?\s*$/.test(text)) return null;
  return Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER ? Number(text) : null;
}
