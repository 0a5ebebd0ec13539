import { toE164 } from "../../ingest/phone-number.ts";
import type { Resource } from "../config/registry.ts";

export type Destination =
  | { readonly type: "number"; readonly number: string; readonly target_id: string; readonly timeout_seconds: number }
  | {
      readonly type: "sip";
      readonly sip_endpoint: string;
      readonly sip_username: string | null;
      readonly sip_headers: Record<string, string>;
      readonly target_id: string;
      readonly timeout_seconds: number;
    };

const defaultRingSeconds = 30;
/** No switch rings longer. */
const longestRingSeconds = 600;

/** A target's own, of which 0 is none. */
const ringSecondsOf = ({ connection_timeout }: Resource<"target">): number =>
  Math.min(connection_timeout || defaultRingSeconds, longestRingSeconds);

/** Returns the number, in E.164, or SIP endpoint to dial; null when the target lacks the address that its type calls for. */
export function destinationOf(target: Resource<"target">): Destination | null {
  const about = { target_id: target.id, timeout_seconds: ringSecondsOf(target) };
  if (target.type === "number" || target.type === "phone") {
    const number = target.number?.trim();
    return number ? { type: "number", number: toE164(number) ?? number, ...about } : null;
  }
  if (!target.sip_endpoint?.trim()) return null;
  const { sip_endpoint, sip_username = null, sip_headers = {} } = target;
  return { type: "sip", sip_endpoint, sip_username, sip_headers, ...about };
}

/** Returns the destination of a bid: E.164, or an address that begins with `sip:` or `sips:`. */
export function destinationOfBid(formulaId: string, phoneNumber: string): Destination {
  const about = { target_id: formulaId, timeout_seconds: defaultRingSeconds };
  if (!/^sips?:/i.test(phoneNumber)) return { type: "number", number: phoneNumber, ...about };
  return { type: "sip", sip_endpoint: phoneNumber, sip_username: null, sip_headers: {}, ...about };
}
