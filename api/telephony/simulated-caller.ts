import { z } from "zod";
import { toE164 } from "../../ingest/phone-number.ts";
import { isWithheld } from "./twilio/withheld.ts";

/** What switches write in place of a number that was withheld. */
const withheldWords: ReadonlySet<string> = new Set([
  "anonymous",
  "restricted",
  "private",
  "blocked",
  "unknown",
  "unavailable",
  "withheld",
]);

/** A number of a network's own, such as an extension, and one that can be nobody's, such as a forged one. */
const digits = /^\+?\d{2,15}$/;
const sipAddress = /^sips?:[^\s@]+@[^\s@]+$/i;

/**
 * Who calls, as a switch can say it: a number that can be one, other digits, a SIP address, or that it was withheld. All
 * but the first are callers whom nothing is known of (semantics 8.10).
 */
export const simulatedCaller = z
  .string()
  .min(1)
  .max(64)
  .refine(isCaller, 'must be what a switch can send: a phone number like +12125550123, a SIP address, or "anonymous"');

function isCaller(text: string): boolean {
  const said = text.trim();
  return toE164(said) !== null || digits.test(said) || sipAddress.test(said) || isNobody(said);
}

const isNobody = (said: string): boolean => withheldWords.has(said.toLowerCase()) || isWithheld(said);
