import { v7 as uuidv7 } from "uuid";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { EventLog } from "../../ingest/log/log.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { OrgConfig } from "../config/org-config.ts";
import type { Snapshot } from "../config/snapshot.ts";
import { stateOfNumber } from "../routing/area-codes.ts";
import { type Candidate, type Destination, decide, destinationOf } from "../routing/decide.ts";
import { toE164 } from "../routing/phone.ts";
import { conflict } from "../serve/errors.ts";
import type { OpenCall, OpenCallStore } from "./open-calls.ts";

export interface ArrivingCall {
  readonly from: string;
  readonly to: string;
  readonly at?: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

/** What a switch is told to do with a call. */
export type Instruction =
  | { readonly action: "dial"; readonly destination: Destination; readonly terms: DialTerms }
  | { readonly action: "reject" | "hangup"; readonly reason: string }
  | { readonly action: "none" };
type DialTerms = Pick<Candidate["dialing"], "buyer_terms" | "publisher_terms">;

export interface Report {
  readonly type: "answer" | "no_answer" | "busy" | "fail" | "hangup";
  readonly by?: "caller" | "target" | undefined;
  readonly at?: string | undefined;
}

/** Dials begun for one call (semantics 8.5). */
const maxDials = 10;

export interface CallDeps {
  readonly log: Pick<EventLog, "publish">;
  readonly snapshot: Snapshot;
  readonly openCalls: OpenCallStore;
  readonly clock: Clock;
}

/** Takes a call in from any switch: decides, makes the facts durable, and tells what to dial. */
export function createCalls({ log, snapshot, openCalls, clock }: CallDeps) {
  const publish = async (signals: readonly SignalInput[]): Promise<void> => {
    await log.publish(
      signals.map((signal) => ({ topic: "call-signals", key: signal.call_id, value: JSON.stringify(signal) })),
    );
  };

  async function arrive(orgId: OrgId, { from, to, at = isoTime(clock.now()), tags }: ArrivingCall) {
    const config = configOf(snapshot, orgId);
    const number = toE164(to) ?? to;
    const caller = toE164(from) ?? from;
    const about = { org_id: orgId, call_id: uuidv7() as CallId, at };
    const { terms, candidates, reason } = decide(config, number);
    const first = candidates[0];
    const call = { ...about, number, started_at: at, last_at: at };
    const place = { ...terms, from: caller, to: number, caller_state: stateOfNumber(caller), tags: { ...tags } };
    const next: readonly SignalInput[] =
      first === undefined
        ? [{ kind: "failed", ...about, reason: reason ?? "no_eligible_route" }]
        : [{ kind: "dialing", ...about, ...first.dialing }];
    // The row first: without it a call that has been published could not be reported on.
    await openCalls.open({ ...call, ...(first ? dialing([], first) : refused) });
    await publish([{ kind: "incoming", ...about, ...place }, ...next]);
    const instruction: Instruction = first
      ? toDial(first)
      : { action: "reject", reason: reason ?? "no_eligible_route" };
    return { call_id: about.call_id, ...instruction };
  }

  /** What a switch says of a call that it was told to dial; null when the organization has no such call. */
  function report(
    orgId: OrgId,
    callId: string,
    { type, by, at = isoTime(clock.now()) }: Report,
  ): Promise<Instruction | null> {
    return openCalls.change(orgId, callId, async (call): Promise<Change> => {
      if (call.state === "ended") throw conflict(`Call ${callId} has ended: nothing more can happen to it.`);
      if (type !== "hangup" && call.state === "connected") {
        throw conflict(`Call ${callId} is connected: only "hangup" can follow, not "${type}".`);
      }
      const about = { org_id: orgId, call_id: call.call_id, at };
      const heard = { ...call, last_at: at };
      if (type === "answer") {
        await publish([{ kind: "answered", ...about }]);
        return { call: { ...heard, state: "connected" }, result: { action: "none" } };
      }
      if (type === "hangup") {
        await publish([{ kind: "hung_up", ...about, by: by ?? "caller" }]);
        return { call: { ...heard, state: "ended" }, result: { action: "none" } };
      }
      return failOver(heard, about, reasons[type]);
    });
  }

  async function failOver(call: OpenCall, about: About, reason: string): Promise<Change> {
    const { candidates } = decide(configOf(snapshot, call.org_id), call.number);
    const next = candidates.find(({ target }) => !call.tried.includes(target.id));
    const failed = { kind: "dial_failed", ...about, reason } as const;
    if (next === undefined || call.tried.length >= maxDials) {
      await publish([failed, { kind: "failed", ...about, reason }]);
      return { call: { ...call, state: "ended" }, result: { action: "hangup", reason } };
    }
    await publish([failed, { kind: "dialing", ...about, ...next.dialing }]);
    return { call: { ...call, ...dialing(call.tried, next) }, result: toDial(next) };
  }

  return { arrive, report };
}
export type Calls = ReturnType<typeof createCalls>;

const reasons = { no_answer: "no_answer", busy: "busy", fail: "failed" } as const;

function configOf(snapshot: Snapshot, orgId: OrgId): OrgConfig {
  const config = snapshot.config(orgId);
  if (config === undefined) throw new Error(`organization ${orgId} has a key but no config`);
  return config;
}

const dialing = (tried: readonly string[], { target }: Candidate): Pick<OpenCall, "state" | "target_id" | "tried"> => ({
  state: "dialing",
  target_id: target.id,
  tried: [...tried, target.id],
});
const refused: Pick<OpenCall, "state" | "target_id" | "tried"> = { state: "ended", target_id: null, tried: [] };

type About = Pick<SignalInput, "org_id" | "call_id" | "at">;
interface Change {
  readonly call: OpenCall;
  readonly result: Instruction;
}

function toDial({ target, dialing }: Candidate): Instruction {
  const destination = destinationOf(target);
  if (destination === null) throw new Error(`target ${target.id} was chosen without a destination`);
  const { buyer_terms, publisher_terms } = dialing;
  return { action: "dial", destination, terms: { buyer_terms, publisher_terms } };
}
