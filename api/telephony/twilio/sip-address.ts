import { encoded, onOneLine } from "../../outbound/escape.ts";

/** Headers that can be handed on in a SIP address; others have a meaning of their own between the switches. */
const carried = /^(x-[\w.!%*+`'~-]+|user-to-user)$/i;

/** The address that is dialed, with the headers that go along as its parameters. */
export function sipAddress(endpoint: string, headers: Readonly<Record<string, string>> = {}): string {
  const address = onOneLine(endpoint).trim();
  const named = /^sips?:/i.test(address) ? address : `sip:${address}`;
  const parameters = Object.entries(headers)
    .filter(([name]) => carried.test(name))
    .map(([name, value]) => `${encoded(name)}=${encoded(onOneLine(value))}`);
  if (parameters.length === 0) return named;
  return `${named}${named.includes("?") ? "&" : "?"}${parameters.join("&")}`;
}
