import type { z } from "zod";
import { isoTime } from "../../../ingest/clock.ts";
import { toE164 } from "../../../ingest/phone-number.ts";
import {
  type aboutDial,
  type aboutLeg,
  type aboutTurn,
  type CallAddress,
  type CarrierDeps,
  callbackAddress,
  callerOf,
  inTime,
  ownerOf,
} from "../carriers.ts";
import { endDial, isOver, recordingUrlOf, reportOfStatus } from "../dial-end.ts";
import type { Instruction, Report } from "../instruction.ts";
import {
  type dialActionForm,
  type gatherForm,
  type recordingForm,
  type statusForm,
  timeOf,
  type voiceForm,
} from "./forms.ts";
import { toTwiml } from "./twiml.ts";
import { type Element, toDocument } from "./xml.ts";

/** The carrier gives up after 15 s; what is left is for the way there and back. */
const answerWithinMs = 12_000;
export const twilioPath = "/telephony/twilio";
const nothing = toDocument({});

/** A caller dials a tracking number. The carrier's repeat of it finds the call where it is. */
export function onVoice(form: z.infer<typeof voiceForm>, deps: CarrierDeps): Promise<string> {
  return soon(arrive(form, deps), deps);
}

async function arrive({ CallSid, From, To }: z.infer<typeof voiceForm>, deps: CarrierDeps): Promise<string> {
  const orgId = await ownerOf(deps, { provider: "twilio", callSid: CallSid, dialed: To });
  if (orgId === null) return toDocument({ Reject: { "@reason": "rejected" } });
  const arrived = await deps.calls.arrive(orgId, {
    call_sid: CallSid,
    provider: "twilio",
    from: callerOf(From),
    to: To,
    tags: {},
  });
  return spoken(arrived, { about: { org_id: orgId, call_id: arrived.call_id }, from: From, deps });
}

/** A dial is over. */
export function onDialAction(
  about: z.infer<typeof aboutDial>,
  form: z.infer<typeof dialActionForm>,
  deps: CarrierDeps,
): Promise<string> {
  const ended = endDial(
    { calls: deps.calls, about, now: deps.clock.now() },
    {
      dial: about.dial,
      status: form.DialCallStatus,
      connectedSeconds: form.DialCallDuration,
      callerGone: isOver(form.CallStatus),
      bridged: form.DialBridged.toLowerCase() !== "false",
      recordingUrl: recordingUrlOf(form.RecordingUrl),
    },
  );
  const told = ended.then((reported) => spoken(reported?.instruction, { about, from: form.From, deps }));
  return soon(told, deps);
}

/** A menu has a digit, or its time was up. */
export function onGather(
  about: z.infer<typeof aboutTurn>,
  form: z.infer<typeof gatherForm>,
  deps: CarrierDeps,
): Promise<string> {
  const { org_id, call_id, turn } = about;
  const at = isoTime(deps.clock.now());
  const told = deps.calls
    .report(org_id, call_id, { type: "digits", digits: form.Digits, turn, at })
    .then((reported) => spoken(reported?.instruction, { about, from: form.From, deps }));
  return soon(told, deps);
}

/** A leg's status: of one that we dialed where the address says which dial, else of the caller's. */
export async function onStatus(
  about: z.infer<typeof aboutLeg>,
  form: z.infer<typeof statusForm>,
  { calls, clock }: CarrierDeps,
): Promise<string> {
  const at = timeOf(form.Timestamp, clock.now());
  const { org_id, call_id, dial } = about;
  if (org_id !== undefined && call_id !== undefined && dial !== undefined) {
    const report = reportOfStatus(form.CallStatus, { dial, at });
    if (report !== null) await calls.report(org_id, call_id, report);
  } else if (form.ParentCallSid === undefined && isOver(form.CallStatus)) {
    const call = await calls.find("twilio", form.CallSid);
    // Nobody was connected for longer than the caller's own leg was up.
    const report: Report = { type: "hangup", by: "caller", connected_seconds: form.CallDuration, at };
    if (call !== null) await calls.report(call.org_id, call.call_id, report);
  }
  return nothing;
}

/** A recording can be fetched. */
export async function onRecording(
  { org_id, call_id }: CallAddress,
  form: z.infer<typeof recordingForm>,
  { calls, clock }: CarrierDeps,
): Promise<string> {
  const url = recordingUrlOf(form.RecordingUrl);
  const isThere = form.RecordingStatus === undefined || form.RecordingStatus === "completed";
  if (url !== null && isThere) {
    await calls.report(org_id, call_id, { type: "recorded", recording_url: url, at: isoTime(clock.now()) });
  }
  return nothing;
}

interface Speaking {
  readonly about: CallAddress;
  readonly from: string;
  readonly deps: CarrierDeps;
}

/** The document of an instruction; a call that nobody knows is hung up. */
function spoken(instruction: Instruction = { action: "none" }, { about, from, deps }: Speaking): string {
  const { org_id, call_id } = about;
  const base = `${deps.settings.PUBLIC_URL}${twilioPath}`;
  return toDocument(
    toTwiml(instruction, {
      callback: (path, more = {}) => callbackAddress(`${base}/${path}`, { org_id, call_id, ...more }),
      callerId: toE164(from),
      sipPassword: (targetId) => deps.snapshot.config(org_id)?.get("target", targetId)?.sip_password,
    }),
  );
}

/** A call that takes too long to decide is asked about again: the repeat of its arrival gets the present instruction. */
function soon(told: Promise<string>, deps: CarrierDeps): Promise<string> {
  const again: Element = { Redirect: { "@method": "POST", "#text": `${deps.settings.PUBLIC_URL}${twilioPath}/voice` } };
  return inTime(told, deps, { withinMs: answerWithinMs, late: toDocument(again) });
}
