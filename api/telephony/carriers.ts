import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { toE164 } from "../../ingest/phone-number.ts";
import { callId, type OrgId, orgId } from "../../ingest/primitives.ts";
import type { Snapshot } from "../config/snapshot.ts";
import type { Settings } from "../settings/settings.ts";
import type { ArrivingCall, Instruction, Report, Reported } from "./instruction.ts";

/** What an adapter of a carrier needs of the calls. */
export interface CarrierCalls {
  arrive(orgId: OrgId, call: ArrivingCall): Promise<Instruction & { readonly call_id: string }>;
  report(orgId: OrgId, callId: string, report: Report): Promise<Reported | null>;
  /** The call that a carrier knows by this name, of whichever organization. */
  find(provider: ArrivingCall["provider"], callSid: string): Promise<CallAddress | null>;
}

/** Where a call is found again. It travels in the addresses that a carrier calls back. */
export interface CallAddress {
  readonly org_id: OrgId;
  readonly call_id: string;
}

export interface CarrierDeps {
  readonly calls: CarrierCalls;
  readonly snapshot: Pick<Snapshot, "config" | "holderOf">;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "PUBLIC_URL" | "TWILIO_AUTH_TOKEN" | "JAMBONZ_USERNAME" | "JAMBONZ_PASSWORD">;
  /** Told what an operator should look into. */
  warn(message: string): void;
}

const ordinal = z
  .string()
  .regex(/^\d{1,4}$/, "must be a whole number")
  .transform(Number);
/** What a callback's address says: which call it is about, and which dial or which turn of a menu. */
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

/** A call as a carrier tells of it, whether or not it has done so before. */
interface CallAtCarrier {
  readonly provider: ArrivingCall["provider"];
  readonly callSid: string;
  readonly dialed: string;
}

/** Whose call it is: of one in hand its owner's, whoever has the number by now. */
export async function ownerOf(deps: CarrierDeps, { provider, callSid, dialed }: CallAtCarrier): Promise<OrgId | null> {
  const known = await deps.calls.find(provider, callSid);
  return known === null ? holderOf(deps, dialed) : known.org_id;
}

/** Whose number was dialed. */
function holderOf({ snapshot, warn }: CarrierDeps, dialed: string): OrgId | null {
  const number = toE164(dialed) ?? dialed;
  const holder = snapshot.holderOf(number);
  if (holder === undefined) {
    warn(`A call to ${number} was refused: no organization has this number. Add it, or take it off the carrier.`);
  }
  return holder ?? null;
}

/** The caller's number, or what stands for one that was withheld. */
export const callerOf = (from: string): string => from.trim() || "anonymous";

/** Four hours: Twilio lets two parties speak no longer, and whoever has forgotten to hang up does not for ever. */
export const longestCallSeconds = 14_400;

export interface InTime<T> {
  readonly withinMs: number;
  /** What is answered when the time is up. */
  readonly late: T;
}

/** Waits for work no longer than a carrier waits for us. What is late goes on by itself, and its failure is told. */
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
    done.abort();
  }
}
