import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/**
 * A number in E.164, read as one of the United States where it names no country; null when it can be no number.
 * Possible is enough: the examples of carriers are often not valid in the strict sense (semantics 5).
 */
export function toE164(text: string): string | null {
  const parsed = parsePhoneNumberFromString(text, "US");
  return parsed?.isPossible() === true ? parsed.number : null;
}
