import { Router } from "express";
import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { tags, timestamp } from "../../ingest/primitives.ts";
import type { Authenticate } from "../serve/auth.ts";
import { notFound, parseInput } from "../serve/errors.ts";
import type { Calls } from "./calls.ts";

/** A simulated switch may run its own clock, but not far ahead of ours: a typing error must not make next year's calls. */
const maxAheadMs = 60 * 60 * 1000;

/** `/telephony/simulator`: a switch without telephones, for tests, demonstrations and rehearsals (semantics 7.9). */
export function simulatorRoutes({
  calls,
  authenticate,
  clock,
}: {
  calls: Calls;
  authenticate: Authenticate;
  clock: Clock;
}): Router {
  const at = timestamp
    .refine((time) => Date.parse(time) <= clock.now() + maxAheadMs, "at most an hour ahead of now")
    .optional();
  const arriving = z.object({
    from: z.string().min(1).max(64),
    to: z.string().min(1).max(64),
    tags: tags.default({}),
    at,
  });
  const report = z.object({
    type: z.enum(["answer", "no_answer", "busy", "fail", "hangup"]),
    by: z.enum(["caller", "target"]).optional(),
    at,
  });

  const router = Router();
  router.post("/calls", async (request, response) => {
    const orgId = authenticate(request);
    response.status(201).json(await calls.arrive(orgId, parseInput(arriving, request.body, "body")));
  });
  router.post("/calls/:callId/events", async (request, response) => {
    const orgId = authenticate(request);
    const { callId } = request.params;
    const instruction = await calls.report(orgId, callId, parseInput(report, request.body, "body"));
    if (instruction === null) throw notFound(`Call ${callId}`);
    response.json(instruction);
  });
  return router;
}
