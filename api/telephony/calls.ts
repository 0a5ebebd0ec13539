import { v7 as uuidv7 } from "uuid";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { OrgConfig } from "../config/org-config.ts";
import type { Snapshot } from "../config/snapshot.ts";
import { stateOfNumber } from "../routing/area-codes.ts";
import { type Candidate, decide } from "../routing/decide.ts";
import { type Destination, destinationOf } from "../routing/destination.ts";
import { toE164 } from "../routing/phone.ts";
import { conflict } from "../serve/errors.ts";
import type { CallStep, OpenCall, OpenCallStore } from "./open-calls.ts";

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
  readonly snapshot: Snapshot;
  readonly openCalls: OpenCallStore;
  readonly clock: Clock;
}

interface Step extends CallStep {
  readonly instruction: Instruction;
}

/** Takes calls in from any switch: decides, makes the facts durable, and tells what to dial. */
export function createCalls({ snapshot, openCalls, clock }: CallDeps) {
  async function arrive(orgId: OrgId, { from, to, at = isoTime(clock.now()), tags }: ArrivingCall) {
    const number = toE164(to) ?? to;
    const caller = toE164(from) ?? from;
    const about = { org_id: orgId, call_id: uuidv7() as CallId, at };
    const { terms, candidates, reason } = decide(configOf(snapshot, orgId), number, clock.now());
    const incoming: SignalInput = {
      kind: "incoming",
      ...about,
      ...terms,
      from: caller,
      to: number,
      caller_state: stateOfNumber(caller),
      tags: { ...tags },
    };
    const call: OpenCall = {
      call_id: about.call_id,
      org_id: orgId,
      campaign_id: terms.campaign?.id ?? null,
      number,
      state: "dialing",
      tried: [],
    };
    const { instruction, signals, ...next } = dialNext(call, about, {
      candidates,
      reason: reason ?? "no_eligible_route",
    });
    await openCalls.open({ call: next.call, signals: [incoming, ...signals] });
    // A call that was never dialed is not hung up but turned away.
    return {
      call_id: about.call_id,
      ...(instruction.action === "hangup" ? { ...instruction, action: "reject" } : instruction),
    };
  }

  /** What a switch says of a call that it was told to dial; null when the organization has no such call. */
  async function report(
    orgId: OrgId,
    callId: string,
    { type, by, at = isoTime(clock.now()) }: Report,
  ): Promise<Instruction | null> {
    const step = await openCalls.step(orgId, callId, (call): Step => {
      if (call.state === "ended") throw conflict(`Call ${callId} has ended: nothing more can happen to it.`);
      if (type !== "hangup" && call.state === "connected") {
        throw conflict(`Call ${callId} is connected: only "hangup" can follow, not "${type}".`);
      }
      const about = { org_id: orgId, call_id: call.call_id, at };
      if (type === "answer")
        return {
          call: { ...call, state: "connected" },
          signals: [{ kind: "answered", ...about }],
          instruction: nothing,
        };
      if (type === "hangup") {
        return {
          call: { ...call, state: "ended" },
          signals: [{ kind: "hung_up", ...about, by: by ?? "caller" }],
          instruction: nothing,
        };
      }
      const reason = reasons[type];
      const { candidates } = decide(configOf(snapshot, orgId), call.number, clock.now());
      const next = dialNext(call, about, { candidates, reason });
      return { ...next, signals: [{ kind: "dial_failed", ...about, reason }, ...next.signals] };
    });
    return step?.instruction ?? null;
  }

  return { arrive, report };
}
export type Calls = ReturnType<typeof createCalls>;

type About = Pick<SignalInput, "org_id" | "call_id" | "at">;
const nothing: Instruction = { action: "none" };

/** Dials the first candidate that has not been tried; without one the call has failed for `reason`. */
function dialNext(
  call: OpenCall,
  about: About,
  { candidates, reason }: { candidates: readonly Candidate[]; reason: string },
): Step {
  const next = candidates.find(({ target }) => !call.tried.includes(target.id));
  if (next === undefined || call.tried.length >= maxDials) {
    return {
      call: { ...call, state: "ended" },
      signals: [{ kind: "failed", ...about, reason }],
      instruction: { action: "hangup", reason },
    };
  }
  return {
    call: { ...call, state: "dialing", tried: [...call.tried, next.target.id] },
    signals: [{ kind: "dialing", ...about, ...next.dialing }],
    instruction: toDial(next),
  };
}

const reasons = { no_answer: "no_answer", busy: "busy", fail: "failed" } as const;

function configOf(snapshot: Snapshot, orgId: OrgId): OrgConfig {
  const config = snapshot.config(orgId);
  if (config === undefined) throw new Error(`organization ${orgId} has a key but no config`);
  return config;
}

function toDial({ target, dialing }: Candidate): Instruction {
  const destination = destinationOf(target);
  if (destination === null) throw new Error(`target ${target.id} was chosen without a destination`);
  const { buyer_terms, publisher_terms } = dialing;
  return { action: "dial", destination, terms: { buyer_terms, publisher_terms } };
}
