import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/**
 * Returns a phone number in E.164, read as one of the United States if it names no country; null for impossible numbers.
 * Numbers need not be valid in the strict sense, as carriers' example numbers are not (semantics 5).
 */
export function toE164(text: string): string | null {
  const parsed = parsePhoneNumberFromString(text, "US");
  return parsed?.isPossible() === true ? parsed.number : null;
}
