import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { toE164 } from "../../ingest/phone-number.ts";
import { callId, type OrgId, orgId } from "../../ingest/primitives.ts";
import type { Snapshot } from "../config/snapshot.ts";
import type { Settings } from "../settings/settings.ts";
import type { ArrivingCall, Instruction, Report, Reported } from "./instruction.ts";

/** The calls as adapters of carriers use them. */
export interface CarrierCalls {
  arrive(orgId: OrgId, call: ArrivingCall): Promise<Instruction & { readonly call_id: string }>;
  report(orgId: OrgId, callId: string, report: Report): Promise<Reported | null>;
  /** Finds a call by the carrier's name for it, of any organization. */
  find(provider: ArrivingCall["provider"], callSid: string): Promise<CallAddress | null>;
}

/** The key of a call. It travels in the addresses that a carrier calls back. */
export interface CallAddress {
  readonly org_id: OrgId;
  readonly call_id: string;
}

export interface CarrierDeps {
  readonly calls: CarrierCalls;
  readonly snapshot: Pick<Snapshot, "config" | "holderOf">;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "PUBLIC_URL" | "TWILIO_AUTH_TOKEN" | "JAMBONZ_USERNAME" | "JAMBONZ_PASSWORD">;
  /** Logs what an operator should look into. */
  warn(message: string): void;
}

const ordinal = z
  .string()
  .regex(/^\d{1,4}$/, "must be a whole number")
  .transform(Number);
/** Queries of callbacks: the call, and which dial or which turn of a menu. */
export const aboutCall = z.object({ org_id: orgId, call_id: callId });
export const aboutDial = aboutCall.extend({ dial: ordinal });
export const aboutLeg = aboutDial.partial();
export const aboutTurn = aboutCall.extend({ turn: ordinal });

/** The address of a callback, with what it is about in its query. */
export function callbackAddress(base: string, about: CallAddress & { dial?: number; turn?: number }): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(about)) query.set(name, String(value));
  return `${base}?${query}`;
}

/** A call as a carrier names it. */
interface CallAtCarrier {
  readonly provider: ArrivingCall["provider"];
  readonly callSid: string;
  readonly dialed: string;
}

/** The organization of a call: of one in progress its owner, whoever has the number by now. */
export async function ownerOf(deps: CarrierDeps, { provider, callSid, dialed }: CallAtCarrier): Promise<OrgId | null> {
  const known = await deps.calls.find(provider, callSid);
  return known === null ? holderOf(deps, dialed) : known.org_id;
}

/** The organization of the number that was dialed. */
function holderOf({ snapshot, warn }: CarrierDeps, dialed: string): OrgId | null {
  const number = toE164(dialed) ?? dialed;
  const holder = snapshot.holderOf(number);
  if (holder === undefined) {
    warn(`A call to ${number} was refused: no organization has this number. Add it, or take it off the carrier.`);
  }
  return holder ?? null;
}

/** The caller's number, or `anonymous` for one that was withheld. */
export const callerOf = (from: string): string => from.trim() || "anonymous";

/** Words that carriers show for a number that was withheld, as a telephone's keys spell them behind a plus sign. */
const withheldNumbers: ReadonlySet<string> = new Set([
  "+266696687", // ANONYMOUS
  "+7378742833", // RESTRICTED
  "+2562533", // BLOCKED
  "+8656696", // UNKNOWN
  "+86282452253", // UNAVAILABLE
]);

/** Returns true for such a word. The last of them could be a number in China: all who withhold theirs would be one caller. */
export const isWithheld = (from: string): boolean => withheldNumbers.has(from.trim());

/** Four hours, as long as Twilio allows: a phone that was not hung up costs no more. */
export const longestCallSeconds = 14_400;

export interface InTime<T> {
  readonly withinMs: number;
  /** The answer when the time is up. */
  readonly late: T;
}

/** Waits for work no longer than a carrier waits for us. Late work goes on, and its failure is logged. */
export async function inTime<T>(
  work: Promise<T>,
  { clock, warn }: Pick<CarrierDeps, "clock" | "warn">,
  { withinMs, late }: InTime<T>,
): Promise<T> {
  const done = new AbortController();
  const tooLate = clock.sleep(withinMs, done.signal).then(() => {
    if (!done.signal.aborted) work.catch((error) => warn(`A late answer to a carrier failed: ${error}`));
    return late;
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    // A reason, without which each abort makes an exception with its stack.
    done.abort("answered");
  }
}
