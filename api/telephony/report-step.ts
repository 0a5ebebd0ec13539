import { isoTime } from "../../ingest/clock.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import { unreachable } from "../../ingest/primitives.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { OrgConfig } from "../config/org-config.ts";
import { answerMenu } from "../routing/call/ivr-menu.ts";
import { addTags } from "../routing/call/tags.ts";
import type { DecisionTrace } from "../routing/decision-trace.ts";
import { noAction, type Report } from "./instruction.ts";
import type { OpenCall } from "./open-call.ts";

/** A call after a report, with the signals of the report; null where the report changes nothing. */
export type ReportStep = { readonly call: OpenCall; readonly signals: readonly SignalInput[] } | null;

export interface ReportContext {
  readonly config: OrgConfig;
  readonly trace: DecisionTrace;
  /** Time of the event at the switch. */
  readonly at: string;
}

interface About {
  readonly org_id: OrgId;
  readonly call_id: CallId;
  readonly at: string;
}

const failures = { no_answer: "no_answer", busy: "busy", fail: "failed" } as const;

/**
 * Applies a switch's report to a call. A report that comes twice, late or out of order finds the call in another state, and
 * changes nothing.
 */
export function applyReport(call: OpenCall, report: Report, context: ReportContext): ReportStep {
  if (report.provider !== undefined && report.provider !== call.provider) return null;
  const about: About = { org_id: call.org_id, call_id: call.call_id, at: context.at };
  switch (report.type) {
    case "ringing":
      return markRinging(call, report, context);
    case "answer":
      return isDialing(call, report.dial) ? connect(call, about) : null;
    case "no_answer":
    case "busy":
    case "fail":
      return isDialing(call, report.dial) ? failDial(call, failures[report.type], { ...context, about }) : null;
    case "digits":
      return takeDigits(call, report, { ...context, about });
    case "hangup":
      return call.state === "ended" ? null : hangUp(call, report, about);
    case "recorded":
      return { call, signals: [{ kind: "recorded", ...about, recording_url: report.recording_url }] };
    default:
      return unreachable(report);
  }
}

/** Not before its dial: a carrier that counts whole seconds would have it answered earlier. */
function connect(call: OpenCall, about: About): ReportStep {
  const connected_at = later(about.at, call.dial_heard_at);
  return {
    call: { ...call, state: "connected", connected_at, instruction: noAction },
    signals: [{ kind: "answered", ...about, at: connected_at }],
  };
}

function hangUp(call: OpenCall, { by = "caller", connected_seconds }: Hangup, about: About): ReportStep {
  const { connected_at } = call;
  const counted =
    connected_at === null || connected_seconds === undefined
      ? about.at
      : isoTime(Date.parse(connected_at) + connected_seconds * 1000);
  return {
    call: { ...call, state: "ended", dial_plan: [], instruction: noAction },
    signals: [{ kind: "hung_up", ...about, at: counted < about.at ? counted : about.at, by }],
  };
}
type Hangup = Extract<Report, { type: "hangup" }>;

/** ISO times of one form compare as text. */
const later = (at: string, earliest: string | null): string => (earliest !== null && earliest > at ? earliest : at);

/** Returns true if the call is at this dial; a switch that does not count its dials means the present one. */
const isDialing = (call: OpenCall, dial: number = call.dials): boolean =>
  call.state === "dialing" && dial === call.dials;

function markRinging(
  call: OpenCall,
  { dial }: Report & { type: "ringing" | "answer" },
  { trace }: ReportContext,
): ReportStep {
  if (!isDialing(call, dial) || call.ringing === call.dials) return null;
  const { occurred_at } = trace.note("dial.ringing", { dial: call.dials });
  return { call: { ...call, ringing: call.dials, dial_heard_at: occurred_at }, signals: [] };
}

interface Reporting extends ReportContext {
  readonly about: About;
}

function failDial(call: OpenCall, reason: string, { trace, about }: Reporting): ReportStep {
  trace.note("dial.failed", { dial: call.dials, status: reason });
  return {
    call: { ...call, state: "routing", round: call.round + 1, failure_reason: reason },
    signals: [{ kind: "dial_failed", ...about, reason }],
  };
}

function takeDigits(
  call: OpenCall,
  { digits, turn = call.turns }: Report & { type: "digits" },
  { config, trace, about }: Reporting,
): ReportStep {
  if (call.state !== "menu" || call.menu === null || turn !== call.turns) return null;
  const { ivr_id, times } = call.menu;
  const menu = config.get("ivr", ivr_id);
  const left: OpenCall = { ...call, state: "routing", round: call.round + 1, menu: null };
  // Deleted while the caller was listening: the call goes on with the rest of its dial plan.
  if (menu === undefined) return { call: left, signals: [] };
  const answer = answerMenu(menu, { ivr_id, times }, digits);
  trace.note("menu.chosen", { id: ivr_id, digits, outcome: answer.kind });
  switch (answer.kind) {
    case "again":
      return {
        call: {
          ...left,
          dial_plan: [{ kind: "menu", id: ivr_id, route_id: null }, ...call.dial_plan],
          menu: { ivr_id, times },
        },
        signals: [],
      };
    case "given_up":
      // A menu without a destination for that hangs up, whatever else the dial plan has.
      return answer.next === null
        ? { call: { ...left, dial_plan: [], failure_reason: answer.reason }, signals: [] }
        : { call: { ...left, dial_plan: [answer.next, ...call.dial_plan] }, signals: [] };
    case "chosen": {
      const chosen = { [answer.tag]: answer.value };
      const tags = addTags(call.tags, chosen);
      return {
        call: { ...left, tags, dial_plan: [answer.next, ...call.dial_plan] },
        signals: [{ kind: "tagged", ...about, tags: chosen }],
      };
    }
  }
}
