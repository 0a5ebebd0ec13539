import { z } from "zod";
import { isoTime } from "../../../ingest/clock.ts";
import { toE164 } from "../../../ingest/phone-number.ts";
import { wellFormedText } from "../../../ingest/primitives.ts";
import {
  type aboutDial,
  type aboutLeg,
  type aboutTurn,
  type CallAddress,
  type CarrierDeps,
  callbackAddress,
  callerOf,
  inTime,
  isWithheld,
  ownerOf,
} from "../carriers.ts";
import { endDial, isOver, recordingUrlOf, reportOfStatus } from "../dial-end.ts";
import { type Instruction, noAction, type Report } from "../instruction.ts";
import { type Element, toDocument, toTwiml } from "./twiml.ts";

/** The carrier gives up after 15 s; what is left is for the way there and back. */
const answerWithinMs = 12_000;
export const twilioPath = "/telephony/twilio";
const emptyDocument = toDocument({});

/** The fields of the carrier's forms that are used; it sends many more. */
const text = wellFormedText.max(255);
/** Empty where the number was withheld. */
const from = text.default("").transform((given) => (isWithheld(given) ? "" : given));
const caller = { CallSid: text.min(1), From: from };
/** Status of the caller's leg: `completed` once the caller is gone. */
const callStatus = text.default("");
const seconds = text.optional().transform((given) => (/^\d{1,6}$/.test(given ?? "") ? Number(given) : undefined));
const recordingUrl = z.string().optional();

/** The caller's place in the form is only that of the number, so it is not used. */
export const voiceForm = z.object({ ...caller, To: text.min(1) });
export const dialActionForm = z.object({
  ...caller,
  CallStatus: callStatus,
  DialCallStatus: text.default(""),
  DialCallDuration: seconds,
  /** False where the destination has answered, and the caller was gone by then. */
  DialBridged: text.default("true"),
  RecordingUrl: recordingUrl,
});
/** `ParentCallSid` is there for a leg that we had dialed. */
export const statusForm = z.object({
  CallSid: text.min(1),
  CallStatus: text,
  ParentCallSid: text.optional(),
  Timestamp: text.optional(),
  CallDuration: seconds,
});
export const gatherForm = z.object({ ...caller, Digits: text.default("") });
export const recordingForm = z.object({
  CallSid: text.min(1),
  RecordingUrl: recordingUrl,
  RecordingStatus: text.optional(),
});

/** A time further in the past is not believed. */
const maxLateMs = 24 * 60 * 60 * 1000;

/** The time of an event by the carrier's clock (RFC 2822), or now where that cannot be. */
function timeOf(timestamp: string | undefined, now: number): string {
  const at = Date.parse(timestamp ?? "");
  return isoTime(at <= now && at > now - maxLateMs ? at : now);
}

/** A caller dials a tracking number. The carrier's repeat of the request finds the call in its present state. */
export function onVoice(form: z.infer<typeof voiceForm>, deps: CarrierDeps): Promise<string> {
  return answerInTime(arrive(form, deps), deps);
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
  return toAnswer(arrived, { about: { org_id: orgId, call_id: arrived.call_id }, from: From, deps });
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
  const answer = ended.then((reported) => toAnswer(reported?.instruction, { about, from: form.From, deps }));
  return answerInTime(answer, deps);
}

/** A menu has a digit, or its time was up. */
export function onGather(
  about: z.infer<typeof aboutTurn>,
  form: z.infer<typeof gatherForm>,
  deps: CarrierDeps,
): Promise<string> {
  const { org_id, call_id, turn } = about;
  const at = isoTime(deps.clock.now());
  const answer = deps.calls
    .report(org_id, call_id, { type: "digits", digits: form.Digits, turn, at })
    .then((reported) => toAnswer(reported?.instruction, { about, from: form.From, deps }));
  return answerInTime(answer, deps);
}

/** The status of a leg: of a dial of ours where the address names it, else of the caller's. */
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
  return emptyDocument;
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
  return emptyDocument;
}

interface AnswerContext {
  readonly about: CallAddress;
  readonly from: string;
  readonly deps: CarrierDeps;
}

/** The TwiML document of an instruction; an unknown call is hung up. */
function toAnswer(instruction: Instruction = noAction, { about, from, deps }: AnswerContext): string {
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

/** An answer that takes too long is a redirect: the repeated request for the call gets the present instruction. */
function answerInTime(answer: Promise<string>, deps: CarrierDeps): Promise<string> {
  const again: Element = { Redirect: { "@method": "POST", "#text": `${deps.settings.PUBLIC_URL}${twilioPath}/voice` } };
  return inTime(answer, deps, { withinMs: answerWithinMs, late: toDocument(again) });
}
