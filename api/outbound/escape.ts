/** Control characters would end a header or make the whole request invalid. */
export const onOneLine = (value: string): string => value.replace(/\p{Cc}+/gu, " ");

/** Half of a surrogate pair has no encoding: it becomes the replacement character. */
export const encoded = (value: string): string => encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\ufffd"));

/** `.` and `..`, encoded or not, would take segments away; encoded twice they arrive as a text that does nothing. */
export const inPath = (value: string): string =>
  /^\.{1,2}$/.test(value) ? value.replaceAll(".", "%252E") : encoded(value);

/** Where the path of an address ends and its query begins. */
export const pathEndOf = (address: string): number => address.search(/[?#]|$/);

/**
 * The address with parameters added. Its own query stays byte for byte, as it may be signed; what is no address stays
 * as it is: sending tells what is wrong with it.
 */
export function withQuery(address: string, params: readonly (readonly [name: string, value: string])[]): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const added = new URLSearchParams();
  for (const [name, value] of params) added.append(name, value);
  if (added.size > 0) url.search += `${url.search === "" ? "?" : "&"}${added}`;
  return url.toString();
}

/**
 * The number that a text is. Only a decimal that a JSON number can hold: `0x1f` is no amount, and a long id would lose
 * its last digits.
 */
export function toJsonNumber(text: string): number | null {
  if (!/^\s*-?\d+(\.\d+)?\s*$/.test(text)) return null;
  return Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER ? Number(text) : null;
}
