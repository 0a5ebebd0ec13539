import fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { expect, it } from "vitest";
import { toE164 } from "../../ingest/phone-number.ts";

const byLibrary = (text: string): string | null => {
  const parsed = parsePhoneNumberFromString(text, "US");
  return parsed?.isPossible() === true ? parsed.number : null;
};

it("every area code is read as the library reads it, with and without its country code", () => {
  for (let area = 0; area < 1000; area += 1) {
    const digits = `${String(area).padStart(3, "0")}5550123`;
    for (const text of [digits, `1${digits}`, `+1${digits}`]) expect(toE164(text), text).toBe(byLibrary(text));
  }
});

it("any digits are read as the library reads them", () => {
  const digits = fc.stringMatching(/^\+?\d{7,13}$/);
  fc.assert(
    fc.property(digits, (text) => void expect(toE164(text)).toBe(byLibrary(text))),
    { numRuns: 2000 },
  );
});

it.each([
  ["(212) 555-0123", "+12125550123"],
  ["+44 20 7946 0958", "+442079460958"],
  ["555-0123", null],
  ["anonymous", null],
])("%s is %s", (text, number) => {
  expect(toE164(text)).toBe(number);
});
