import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { conflict, notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import type { Calls } from "./calls.ts";
import { type Instruction, instructionSchema } from "./instruction.ts";
import { arrivingBody, reportBody } from "./simulator-bodies.ts";

interface SimulatorDeps {
  readonly calls: Calls;
  readonly clock: Clock;
}

/** A switch without telephones, for tests, demonstrations and rehearsals (semantics 7.9). */
export const simulatorOperations = (deps: SimulatorDeps): Operation[] => [arrive(deps), report(deps)];

const about = { method: "post", tag: "Telephony", access: "api_key", limit: "api" } as const;

const arrive = ({ calls, clock }: SimulatorDeps): Operation =>
  defineOperation({
    ...about,
    path: "/telephony/simulator/calls",
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
      throw conflict(`The call ${call_id} ${whereItIs(reported.instruction)}: "${body.type}" tells nothing new of it.`);
    },
  });

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
