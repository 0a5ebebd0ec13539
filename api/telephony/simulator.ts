import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { toE164 } from "../../ingest/phone-number.ts";
import { tags, timestamp } from "../../ingest/primitives.ts";
import { recordingUrl } from "../../ingest/signal.ts";
import { conflict, notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import type { Calls } from "./calls.ts";
import { isWithheld } from "./carriers.ts";
import { type Instruction, instructionSchema } from "./instruction.ts";

interface SimulatorDeps {
  readonly calls: Calls;
  readonly clock: Clock;
}

/** A switch without telephones, for tests, demonstrations and rehearsals. */
export const simulatorOperations = (deps: SimulatorDeps): Operation[] => [arrive(deps), report(deps)];

const about = { method: "post", tag: "Telephony", access: "api_key", limit: "api" } as const;

const arrive = ({ calls, clock }: SimulatorDeps): Operation =>
  defineOperation({
    ...about,
    path: "/telephony/simulator/calls",
    name: "simulateCall",
    summary: "A caller dials a tracking number; the answer says what to dial",
    body: arrivingBody(clock.now),
    example: { from: "+12125550123", to: "+18005550100", tags: { utm_source: "radio" } },
    status: 201,
    answer: z.intersection(instructionSchema, z.object({ call_id: z.string() })),
    handle: ({ caller, body, signal }) => calls.arrive(caller.orgId, { ...body, provider: "simulator" }, signal),
  });

const report = ({ calls, clock }: SimulatorDeps): Operation =>
  defineOperation({
    ...about,
    path: "/telephony/simulator/calls/{call_id}/events",
    params: z.object({ call_id: z.string().min(1).max(64) }),
    name: "simulateCallEvent",
    summary: "What happened to a call; the answer says what to do next",
    body: reportBody(clock.now),
    example: { type: "answer" },
    status: 200,
    answer: instructionSchema,
    errors: [404, 409],
    async handle({ caller, params: { call_id }, body }) {
      const reported = await calls.report(caller.orgId, call_id, { ...body, provider: "simulator" });
      if (reported === null) throw notFound(`The call ${call_id}`);
      if (reported.kind === "taken") return reported.instruction;
      throw conflict(`The call ${call_id} ${stateOf(reported.instruction)}: "${body.type}" tells nothing new of it.`);
    },
  });

/** The state of a call in words, by its last instruction. */
function stateOf(instruction: Instruction): string {
  switch (instruction.action) {
    case "dial":
      return `is at dial ${instruction.dial}`;
    case "gather":
      return `waits for digits, turn ${instruction.turn}`;
    case "none":
      return "is connected or has ended";
    default:
      return "has ended";
  }
}

/** A simulated switch may run its own clock, but not far ahead of ours: a typing error must not make next year's calls. */
const maxAheadMs = 60 * 60 * 1000;
/** Nor may a typing error make a call that lasted for years. */
const maxBehindMs = 366 * 24 * 60 * 60 * 1000;

const timeNear = (now: () => number) =>
  timestamp
    .refine((time) => {
      const at = Date.parse(time);
      return at >= now() - maxBehindMs && at <= now() + maxAheadMs;
    }, "must lie within the last 366 days, and at most an hour ahead of now")
    .optional();

function arrivingBody(now: () => number) {
  return z.object({
    from: simulatedCaller,
    to: z.string().min(1).max(64),
    call_sid: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe("The switch's own name of the call: told twice by it, it is one call."),
    caller_zip: z.string().min(1).max(16).optional(),
    caller_state: z.string().min(1).max(64).optional(),
    tags: tags.default({}),
    at: timeNear(now),
  });
}

function reportBody(now: () => number) {
  const at = timeNear(now);
  return z.discriminatedUnion("type", [
    z.object({
      type: z.enum(["ringing", "answer", "no_answer", "busy", "fail"]),
      dial: z.int().min(1).optional(),
      at,
    }),
    z.object({
      type: z.literal("digits"),
      digits: z.string().max(20).describe("What the caller has pressed; empty when the time was up."),
      turn: z.int().min(1).optional(),
      at,
    }),
    z.object({ type: z.literal("hangup"), by: z.enum(["caller", "target"]).optional(), at }),
    z.object({ type: z.literal("recorded"), recording_url: recordingUrl, at }),
  ]);
}

/** Words that switches write in place of a number that was withheld. */
const withheldWords: ReadonlySet<string> = new Set([
  "anonymous",
  "restricted",
  "private",
  "blocked",
  "unknown",
  "unavailable",
  "withheld",
]);

/** An extension of a network, or a number that can be nobody's, such as a forged one. */
const digits = /^\+?\d{2,15}$/;
const sipAddress = /^sips?:[^\s@]+@[^\s@]+$/i;

/**
 * A caller as a switch can name it: a phone number, other digits, a SIP address, or a word for a number that was withheld.
 * All but the first are anonymous callers.
 */
export const simulatedCaller = z
  .string()
  .min(1)
  .max(64)
  .refine(isCaller, 'must be what a switch can send: a phone number like +12125550123, a SIP address, or "anonymous"');

function isCaller(text: string): boolean {
  const from = text.trim();
  if (toE164(from) !== null || digits.test(from) || sipAddress.test(from)) return true;
  return withheldWords.has(from.toLowerCase()) || isWithheld(from);
}
