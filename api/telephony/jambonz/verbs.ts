import { unreachable } from "../../../ingest/primitives.ts";
import { onOneLine } from "../../outbound/escape.ts";
import { longestCallSeconds } from "../carriers.ts";
import { type Instruction, rejectionOf } from "../instruction.ts";

export type Verb = { readonly verb: string } & Readonly<Record<string, unknown>>;

const sipStatuses = { busy: 486, rejected: 603 } as const;

export interface VerbContext {
  /** The address of a hook about this call. */
  hook(path: "action" | "gather", about: { dial?: number; turn?: number }): string;
  /** E.164; null where the caller withheld it. */
  readonly callerId: string | null;
  sipPassword(targetId: string): string | undefined;
}

/**
 * The verbs of an instruction for jambonz. It has none that records one call and says where: `record` has no effect, and an
 * account that is set to record everything does so whatever a campaign or a target wants.
 */
export function toVerbs(instruction: Instruction, context: VerbContext): Verb[] {
  switch (instruction.action) {
    case "dial":
      return [...said(instruction), toDial(instruction, context)];
    case "gather":
      return [toGather(instruction, context)];
    case "reject":
      // A text answers the call, which can then no longer be declined.
      if (instruction.say.length > 0) return [...said(instruction), { verb: "hangup" }];
      return [{ verb: "sip:decline", status: sipStatuses[rejectionOf(instruction.reason)] }];
    case "hangup":
      return [...said(instruction), { verb: "hangup" }];
    case "none":
      return [{ verb: "hangup" }];
    default:
      return unreachable(instruction);
  }
}

const said = ({ say }: { readonly say: readonly string[] }): Verb[] => say.map((text) => ({ verb: "say", text }));

type Dial = Extract<Instruction, { action: "dial" }>;

function toDial({ dial, destination }: Dial, { hook, callerId, sipPassword }: VerbContext): Verb {
  const { timeout_seconds, sip_headers = {} } = destination;
  const headers = Object.entries(sip_headers).map(([name, value]) => [onOneLine(name).trim(), onOneLine(value)]);
  return {
    verb: "dial",
    answerOnBridge: true,
    timeout: timeout_seconds,
    timeLimit: longestCallSeconds,
    ...(callerId === null ? {} : { callerId }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    target: [toTarget(destination, sipPassword)],
    actionHook: hook("action", { dial }),
  };
}

function toTarget(to: Dial["destination"], sipPassword: VerbContext["sipPassword"]): object {
  if (to.type === "number") return { type: "phone", number: to.number ?? "" };
  const address = onOneLine(to.sip_endpoint ?? "").trim();
  const sipUri = /^sips?:/i.test(address) ? address : `sip:${address}`;
  if (!to.sip_username) return { type: "sip", sipUri };
  return { type: "sip", sipUri, auth: { username: to.sip_username, password: sipPassword(to.target_id) ?? "" } };
}

type Gather = Extract<Instruction, { action: "gather" }>;

function toGather({ say, turn, timeout_seconds }: Gather, { hook }: VerbContext): Verb {
  return {
    verb: "gather",
    input: ["digits"],
    numDigits: 1,
    timeout: timeout_seconds,
    dtmfBargein: true,
    ...(say.length === 0 ? {} : { say: { text: say.join(" ") } }),
    actionHook: hook("gather", { turn }),
  };
}
