import type { CarrierCalls, CarrierDeps } from "../../../api/telephony/carriers.ts";
import type { ArrivingCall, Instruction, Report, Reported } from "../../../api/telephony/instruction.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { unreachable } from "../../../ingest/primitives.ts";
import { orgOne, startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";

export const trackingNumber = "+18005550100";
const terms = { buyer_terms: { revenue: 30, condition: "call_length_connected", condition_seconds: 10 } } as const;

type Dial = Extract<Instruction, { action: "dial" }>;
export const aDial = (dial: number, given: Partial<Omit<Dial, "action">> = {}): Dial => ({
  action: "dial",
  dial,
  say: [],
  record: false,
  terms,
  destination: { type: "number", target_id: `target-${dial}`, number: `+1888555010${dial}`, timeout_seconds: 20 },
  ...given,
});
export const aMenu = (turn: number): Instruction => ({
  action: "gather",
  turn,
  say: ["For solar, press 1."],
  timeout_seconds: 5,
});
export const over = (reason = "no_answer"): Instruction => ({ action: "hangup", say: [], reason });

/** What a call has come to. */
export interface FakeCall {
  arrivals: number;
  ringing: number;
  connectedAt: string | null;
  endedBy: string | null;
  endedAt: string | null;
  digits: string[];
  recordings: Set<string>;
}

/** No later than the seconds that the carrier has counted. */
function endOf(connectedAt: string | null, { at = "", connected_seconds }: Report & { type: "hangup" }): string {
  if (connectedAt === null || connected_seconds === undefined) return at;
  const counted = isoTime(Date.parse(connectedAt) + connected_seconds * 1000);
  return counted < at ? counted : at;
}

/** One call that walks through its instructions, by the rules of the real ones; every report is remembered. */
export function createFakeCalls(script: readonly Instruction[]) {
  let position = 0;
  const call: FakeCall = {
    arrivals: 0,
    ringing: 0,
    connectedAt: null,
    endedBy: null,
    endedAt: null,
    digits: [],
    recordings: new Set(),
  };
  const arriving: ArrivingCall[] = [];
  const reports: Report[] = [];
  const present = (): Instruction =>
    call.connectedAt !== null || call.endedBy !== null ? { action: "none" } : (script[position] ?? over());
  const waitsFor = (dial: number | undefined): boolean => {
    const now = present();
    return now.action === "dial" && (dial ?? now.dial) === now.dial;
  };

  function goOn(): true {
    position += 1;
    const next = present();
    if (next.action === "hangup" || next.action === "reject") call.endedBy = "nobody";
    return true;
  }

  function take(report: Report): boolean {
    switch (report.type) {
      case "ringing":
        if (!waitsFor(report.dial)) return false;
        call.ringing = position + 1;
        return true;
      case "answer":
        if (!waitsFor(report.dial)) return false;
        call.connectedAt = report.at ?? "";
        return true;
      case "busy":
      case "no_answer":
      case "fail":
        return waitsFor(report.dial) && goOn();
      case "digits": {
        const now = present();
        if (now.action !== "gather" || (report.turn ?? now.turn) !== now.turn) return false;
        call.digits.push(report.digits);
        return goOn();
      }
      case "hangup":
        if (call.endedBy !== null) return false;
        call.endedBy = report.by ?? "caller";
        call.endedAt = endOf(call.connectedAt, report);
        return true;
      case "recorded":
        call.recordings.add(report.recording_url);
        return true;
      default:
        return unreachable(report);
    }
  }

  const calls: CarrierCalls = {
    async arrive(_orgId, given) {
      arriving.push(given);
      call.arrivals += 1;
      return { ...present(), call_id: "call-1" };
    },
    async report(orgId, callId, report): Promise<Reported | null> {
      if (orgId !== orgOne || callId !== "call-1") return null;
      reports.push(report);
      const before = position;
      const kind = take(report) ? "taken" : "stale";
      const ended = call.endedBy === "nobody" && before !== position ? script[position] : undefined;
      return { kind, callId, instruction: ended ?? present() };
    },
    async find(_provider, callSid) {
      return callSid === arriving[0]?.call_sid ? { org_id: orgOne, call_id: "call-1" } : null;
    },
  };
  return { calls, call, arriving, reports };
}

type Given = Partial<Omit<CarrierDeps, "clock">>;

/** An adapter's surroundings: `+18005550100` is the first organization's. */
export function openCarrier(script: readonly Instruction[], given: Given = {}) {
  const fake = createFakeCalls(script);
  const clock = createManualClock(startOfTime);
  const warnings: string[] = [];
  const deps: CarrierDeps = {
    calls: fake.calls,
    snapshot: {
      config: () => undefined,
      holderOf: (number) => (number === trackingNumber ? orgOne : undefined),
    },
    clock,
    settings: {
      PUBLIC_URL: "https://calls.example",
      TWILIO_AUTH_TOKEN: ["new", "old"],
      JAMBONZ_USERNAME: "switch",
      JAMBONZ_PASSWORD: "secret",
    },
    warn: (message) => warnings.push(message),
    ...given,
  };
  return { ...fake, deps, clock, warnings };
}
