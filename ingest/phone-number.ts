import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/** Ten digits of the North American plan, with or without its country code: the library reads them as they stand. */
const northAmerican = /^(?:\+?1)?([2-9]\d{9})$/;

/**
 * Returns a phone number in E.164, read as one of the United States if it names no country; null for impossible numbers.
 * Numbers need not be valid in the strict sense, as carriers' example numbers are not.
 */
export function toE164(text: string): string | null {
  const digits = northAmerican.exec(text)?.[1];
  if (digits !== undefined) return `+1${digits}`;
  const parsed = parsePhoneNumberFromString(text, "US");
  return parsed?.isPossible() === true ? parsed.number : null;
}
