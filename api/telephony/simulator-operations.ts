import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { tags, timestamp } from "../../ingest/primitives.ts";
import { buyerTermsSchema, publisherTermsSchema } from "../../ingest/terms.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import type { Calls } from "./calls.ts";

/** A simulated switch may run its own clock, but not far ahead of ours: a typing error must not make next year's calls. */
const maxAheadMs = 60 * 60 * 1000;

const instruction = z.object({
  action: z.enum(["dial", "reject", "hangup", "none"]),
  reason: z.string().optional(),
  destination: z
    .object({
      type: z.enum(["number", "sip"]),
      target_id: z.string(),
      timeout_seconds: z.int(),
      number: z.string().optional(),
      sip_endpoint: z.string().optional(),
      sip_username: z.string().nullish(),
      sip_headers: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  terms: z.object({ buyer_terms: buyerTermsSchema, publisher_terms: publisherTermsSchema.nullish() }).optional(),
});

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
      body: z.object({ from: z.string().min(1).max(64), to: z.string().min(1).max(64), tags: tags.default({}), at }),
      example: { from: "+12125550123", to: "+18005550100", tags: { utm_source: "radio" } },
      status: 201,
      answer: instruction.extend({ call_id: z.string() }),
      handle: ({ caller, body }) => calls.arrive(caller.orgId, body),
    }),
    defineOperation({
      ...about,
      path: "/telephony/simulator/calls/{call_id}/events",
      params: z.object({ call_id: z.string().min(1).max(64) }),
      summary: "What happened to a dialed call; the answer says what to do next",
      body: z.object({
        type: z.enum(["answer", "no_answer", "busy", "fail", "hangup"]),
        by: z.enum(["caller", "target"]).optional(),
        at,
      }),
      example: { type: "answer" },
      status: 200,
      answer: instruction,
      errors: [404, 409],
      async handle({ caller, params: { call_id }, body }) {
        const next = await calls.report(caller.orgId, call_id, body);
        if (next === null) throw notFound(`The call ${call_id}`);
        return next;
      },
    }),
  ];
}
