import { roundMoney } from "../../../ingest/money.ts";
import { toE164 } from "../../../ingest/phone-number.ts";
import { memoizeByObject } from "../../conditions/memoize.ts";
import { scalarOf } from "./bid-response.ts";
import type { Formula } from "./formula.ts";
import { readPath } from "./json-path.ts";

/** The terms of a bid: the price, and where the call is to be sent. */
export interface BidTerms {
  /** Dollars, four decimals at most. */
  readonly bid: number;
  /** Seconds of connected time from which on the bid is owed. */
  readonly duration: number;
  /** E.164, or an address that begins with `sip:` or `sips:`. */
  readonly phone_number: string;
}

export type TermsRefusal = "no_bid" | "ping_parse_error" | "no_destination_number";
export type ReadTerms =
  | ({ readonly kind: "bid" } & BidTerms)
  /** `bid` where one was read before something else was missing: its bounds are judged first. */
  | { readonly kind: "refused"; readonly reason: TermsRefusal; readonly bid: number | null; readonly error: string };

/** The value at a path: a text, null for what is no single value, undefined for nothing. */
type Found = string | null | undefined;
type Field = "bid" | "duration" | "phone_number";

/**
 * Reads the terms of a bid from the answers of bidding steps, in their order. The last answer that names a bid counts, also
 * if that is no amount; duration and number may stand in an earlier one.
 */
export function readTerms(formula: Formula, answers: readonly unknown[]): ReadTerms {
  const last = answers.findLastIndex((answer) => find(formula, "bid", answer) !== undefined);
  const bid = toBid(last < 0 ? undefined : find(formula, "bid", answers[last]));
  if (bid === null) return refused("ping_parse_error", null, "The bid is no amount of dollars.");
  if (bid === 0) return refused("no_bid", null, "The answer has no bid.");
  const upTo = answers.slice(0, last + 1).reverse();
  const first = (field: Field): Found =>
    upTo.map((answer) => find(formula, field, answer)).find((found) => found !== undefined);
  const duration = toDuration(first("duration"));
  if (duration === null) return refused("ping_parse_error", bid, "The duration is no whole number of seconds.");
  const phone_number = toDestination(
    formula.use_static_phone_number ? formula.static_phone_number : first("phone_number"),
  );
  if (phone_number === null) return refused("no_destination_number", bid, "There is no number to send the call to.");
  return { kind: "bid", bid, duration, phone_number };
}

const refused = (reason: TermsRefusal, bid: number | null, error: string): ReadTerms => ({
  kind: "refused",
  reason,
  bid,
  error,
});

const instructionNames = { bid: "payout", duration: "duration", phone_number: "phoneNumber" } as const;

/** The places in which a formula looks for each field: its mapped response, then its parsing formula. */
const pathsOf = memoizeByObject(({ mapped_response, parsing_formula }: Formula) => {
  const instructions = parsing_formula?.["parseInstructions"];
  const of = (field: Field): readonly string[] =>
    [mapped_response?.[field], readPath(instructions, `$.${instructionNames[field]}`)].filter(
      (path) => typeof path === "string",
    );
  return { bid: of("bid"), duration: of("duration"), phone_number: of("phone_number") };
});

/** Finds a field in an answer. */
export function find(formula: Formula, field: Field, answer: unknown): Found {
  for (const path of pathsOf(formula)[field]) {
    const value = readPath(answer, path);
    const text = scalarOf(value);
    if (text === undefined ? value !== undefined && value !== null : text.trim() !== "") return text ?? null;
  }
  return undefined;
}

/** Commas only where they part thousands: `12,50` may be twelve and a half, so it is none. */
const amount = /^\$?\s*(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;
const mostDollars = 1_000_000_000;

/** Dollars, 0 for none; null for what is no amount. */
export function toBid(found: Found): number | null {
  if (found === undefined) return 0;
  const text = found?.trim() ?? "";
  if (!amount.test(text)) return null;
  const dollars = roundMoney(Number(text.replace(/[$,\s]/g, "")));
  return dollars <= mostDollars ? dollars : null;
}

const mostSeconds = 1_000_000_000;

/** Whole seconds, 0 for none; null for what is no such number. */
function toDuration(found: Found): number | null {
  if (found === undefined) return 0;
  const text = found?.trim() ?? "";
  return /^\d+(\.0+)?$/.test(text) && Number(text) <= mostSeconds ? Number(text) : null;
}

/** A phone number in E.164 or a SIP address that a call can be sent to; null for any other text. */
export function toDestination(found: Found): string | null {
  const text = found?.trim() ?? "";
  if (/^sips?:[^\s<>"]{1,250}$/i.test(text)) return text;
  return text.length > 64 ? null : toE164(text);
}
