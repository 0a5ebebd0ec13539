import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { callId, type OrgId, orgId } from "../../ingest/primitives.ts";
import type { Snapshot } from "../config/snapshot.ts";
import { toE164 } from "../routing/phone.ts";
import type { Settings } from "../settings.ts";
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
  readonly snapshot: Pick<Snapshot, "config" | "holdersOf">;
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

/** Whose number was dialed. With two holders nobody can tell whose call it is, so it is nobody's. */
export function holderOf({ snapshot, warn }: Pick<CarrierDeps, "snapshot" | "warn">, dialed: string): OrgId | null {
  const number = toE164(dialed) ?? dialed;
  const [holder, another] = snapshot.holdersOf(number);
  if (holder !== undefined && another === undefined) return holder;
  warn(
    holder === undefined
      ? `A call to ${number} was refused: no organization has this number. Add it, or take it off the carrier.`
      : `A call to ${number} was refused: ${holder} and ${another} both have this number. Release it in one of them.`,
  );
  return null;
}

/** The caller's number, or what stands for one that was withheld. */
export const callerOf = (from: string): string => from.trim() || "anonymous";

export interface InTime<T> {
  readonly clock: Clock;
  readonly withinMs: number;
  /** What is answered when the time is up. */
  readonly late: T;
  warn(message: string): void;
}

/** Waits for work no longer than a carrier waits for us. What is late goes on by itself, and its failure is told. */
export async function inTime<T>(work: Promise<T>, { clock, withinMs, late, warn }: InTime<T>): Promise<T> {
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
