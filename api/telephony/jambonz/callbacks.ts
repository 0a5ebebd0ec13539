import { z } from "zod";
import { isoTime } from "../../../ingest/clock.ts";
import { toE164 } from "../../../ingest/phone-number.ts";
import { wellFormedText } from "../../../ingest/primitives.ts";
import {
  type aboutDial,
  type aboutTurn,
  type CallAddress,
  type CarrierDeps,
  callbackAddress,
  callerOf,
  inTime,
  ownerOf,
} from "../carriers.ts";
import { endDial, isOver, reportOfStatus } from "../dial-end.ts";
import { type Instruction, noAction } from "../instruction.ts";
import { toVerbs, type Verb } from "./verbs.ts";

/** The switch gives up after 10 s; what is left is for the way there and back. */
const answerWithinMs = 8000;
export const jambonzPath = "/telephony/jambonz";

/** The fields of the switch's hooks that are used; it sends many more. */
const text = wellFormedText.max(255);
const everyHook = { call_sid: text.min(1), from: text.nullish() };
/** The status of the caller's leg, in hooks about a dial or a menu. */
const callStatus = text.nullish();

export const callHook = z.object({ ...everyHook, to: text.min(1) });
export const actionHook = z.object({
  ...everyHook,
  call_status: callStatus,
  dial_call_status: text.nullish(),
});
export const statusHook = z.object({
  ...everyHook,
  call_status: text,
  parent_call_sid: text.nullish().describe("The caller's leg, in hooks about a leg that was dialed."),
  duration: z
    .number()
    .min(0)
    .max(1e6)
    .nullish()
    .catch(null)
    .describe(
      "Seconds that a leg lasted, once it is over: a number from 0 to 1,000,000. Ignored where it is anything else.",
    ),
});
/** No digits: the time was up. */
export const gatherHook = z.object({ ...everyHook, digits: text.nullish() });

/** A caller dials a tracking number. The switch's repeat of the request finds the call in its present state. */
export function onCall(hook: z.infer<typeof callHook>, deps: CarrierDeps): Promise<Verb[]> {
  return answerInTime(arrive(hook, deps), deps);
}

async function arrive({ call_sid, from, to }: z.infer<typeof callHook>, deps: CarrierDeps): Promise<Verb[]> {
  const orgId = await ownerOf(deps, { provider: "jambonz", callSid: call_sid, dialed: to });
  if (orgId === null) return [{ verb: "sip:decline", status: 603 }];
  const shown = from ?? "";
  const arrived = await deps.calls.arrive(orgId, {
    call_sid,
    provider: "jambonz",
    from: callerOf(shown),
    to,
    tags: {},
  });
  return toAnswer(arrived, { about: { org_id: orgId, call_id: arrived.call_id }, from: shown, deps });
}

/**
 * A dial is over. The switch does not say for how long the parties spoke: where its status hook has not reported the
 * answer, the call counts as answered only now.
 */
export function onAction(
  about: z.infer<typeof aboutDial>,
  hook: z.infer<typeof actionHook>,
  deps: CarrierDeps,
): Promise<Verb[]> {
  const ended = endDial(
    { calls: deps.calls, about, now: deps.clock.now() },
    {
      dial: about.dial,
      status: hook.dial_call_status ?? "",
      bridged: true,
      recordingUrl: null,
      callerGone: isOver(hook.call_status ?? ""),
    },
  );
  const answer = ended.then((reported) => toAnswer(reported?.instruction, { about, from: hook.from ?? "", deps }));
  return answerInTime(answer, deps);
}

/** A menu has a digit, or its time was up. */
export function onGather(
  about: z.infer<typeof aboutTurn>,
  hook: z.infer<typeof gatherHook>,
  deps: CarrierDeps,
): Promise<Verb[]> {
  const { org_id, call_id, turn } = about;
  const at = isoTime(deps.clock.now());
  const answer = deps.calls
    .report(org_id, call_id, { type: "digits", digits: hook.digits ?? "", turn, at })
    .then((reported) => toAnswer(reported?.instruction, { about, from: hook.from ?? "", deps }));
  return answerInTime(answer, deps);
}

/** The status of a leg. The application has one status hook for all legs, so calls are found by the switch's names. */
export async function onStatus(
  { call_sid, parent_call_sid, call_status, duration }: z.infer<typeof statusHook>,
  { calls, clock }: CarrierDeps,
): Promise<Verb[]> {
  const at = isoTime(clock.now());
  const dialed = parent_call_sid ? reportOfStatus(call_status, { dial: undefined, at }) : null;
  // Nobody was connected for longer than the caller's own leg was up.
  const over = { type: "hangup", by: "caller", connected_seconds: duration ?? undefined, at } as const;
  const own = isOver(call_status) ? over : null;
  const report = parent_call_sid ? dialed : own;
  const call = report && (await calls.find("jambonz", parent_call_sid || call_sid));
  if (report && call) await calls.report(call.org_id, call.call_id, report);
  return [];
}

interface AnswerContext {
  readonly about: CallAddress;
  readonly from: string;
  readonly deps: CarrierDeps;
}

/** The verbs of an instruction; an unknown call is hung up. */
function toAnswer(instruction: Instruction = noAction, { about, from, deps }: AnswerContext): Verb[] {
  const { org_id, call_id } = about;
  return toVerbs(instruction, {
    hook: (path, more) => callbackAddress(`${addressOf(deps)}/${path}`, { org_id, call_id, ...more }),
    callerId: toE164(from),
    sipPassword: (targetId) => deps.snapshot.config(org_id)?.get("target", targetId)?.sip_password,
  });
}

/** The switch reads an address without a host as one on the host that it calls. */
const addressOf = ({ settings }: CarrierDeps): string => `${settings.PUBLIC_URL ?? ""}${jambonzPath}`;

/** An answer that takes too long is a redirect: the repeated request for the call gets the present instruction. */
function answerInTime(answer: Promise<Verb[]>, deps: CarrierDeps): Promise<Verb[]> {
  const late: Verb[] = [{ verb: "redirect", actionHook: `${addressOf(deps)}/call` }];
  return inTime(answer, deps, { withinMs: answerWithinMs, late });
}
