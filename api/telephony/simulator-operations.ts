import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { tags, timestamp } from "../../ingest/primitives.ts";
import { conflict, notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import type { Calls } from "./calls.ts";
import { type Instruction, instructionSchema } from "./instruction.ts";
import { simulatedCaller } from "./simulated-caller.ts";

/** A simulated switch may run its own clock, but not far ahead of ours: a typing error must not make next year's calls. */
const maxAheadMs = 60 * 60 * 1000;

/** A switch without telephones, for tests, demonstrations and rehearsals (semantics 7.9). */
export function simulatorOperations({ calls, clock }: { calls: Calls; clock: Clock }): Operation[] {
  const at = timestamp
    .refine((time) => Date.parse(time) <= clock.now() + maxAheadMs, "at most an hour ahead of now")
    .optional();
  const about = { method: "post", tag: "Telephony", access: "api_key", limit: "api" } as const;
  return [
    defineOperation({
      ...about,
      path: "/telephony/simulator/calls",
      summary: "A caller dials a tracking number; the answer says what to dial",
      body: z.object({
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
        at,
      }),
      example: { from: "+12125550123", to: "+18005550100", tags: { utm_source: "radio" } },
      status: 201,
      answer: z.intersection(instructionSchema, z.object({ call_id: z.string() })),
      handle: ({ caller, body }) => calls.arrive(caller.orgId, { ...body, provider: "simulator" }),
    }),
    defineOperation({
      ...about,
      path: "/telephony/simulator/calls/{call_id}/events",
      params: z.object({ call_id: z.string().min(1).max(64) }),
      summary: "What happened to a call; the answer says what to do next",
      body: z.discriminatedUnion("type", [
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
        z.object({ type: z.literal("recorded"), recording_url: z.url().max(2048), at }),
      ]),
      example: { type: "answer" },
      status: 200,
      answer: instructionSchema,
      errors: [404, 409],
      async handle({ caller, params: { call_id }, body }) {
        const reported = await calls.report(caller.orgId, call_id, { ...body, provider: "simulator" });
        if (reported === null) throw notFound(`The call ${call_id}`);
        if (reported.kind === "taken") return reported.instruction;
        throw conflict(
          `The call ${call_id} ${whereItIs(reported.instruction)}: "${body.type}" tells nothing new of it.`,
        );
      },
    }),
  ];
}

/** By what its switch was told last. */
function whereItIs(instruction: Instruction): string {
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
