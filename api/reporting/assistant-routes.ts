import { Router } from "express";
import { z } from "zod";
import type { Assistant } from "../../assistant/assistant.ts";
import { planSchema } from "../../assistant/plan.ts";
import type { Snapshot } from "../config/snapshot.ts";
import type { AuthenticateUser } from "../serve/auth.ts";
import { parseInput } from "../serve/errors.ts";

const turn = z.object({
  query: z.string().max(2000).optional(),
  /** The plan that answered it, as the answer gave it: a follow-up changes it. */
  plan: planSchema.nullish().catch(null),
});
const queryBody = z.object({
  query: z.string().trim().min(1).max(2000),
  session_id: z.string().max(64).nullish(),
  conversation_history: z.array(turn).max(100).default([]),
});

/** `/reporting_ai`: questions in plain words (spec: Reporting assistant). */
export function assistantRoutes(deps: {
  assistant: Assistant;
  snapshot: Snapshot;
  authenticateUser: AuthenticateUser;
}): Router {
  const { assistant, snapshot, authenticateUser } = deps;
  const router = Router();
  const zoneOf = (orgId: string) => snapshot.config(orgId)?.organization.timezone ?? "UTC";

  router.post("/query", async (request, response) => {
    const { orgId } = await authenticateUser(request);
    const { query, conversation_history } = parseInput(queryBody, request.body, "body");
    const gone = new AbortController();
    // A person who closes the page does not wait for the answer any more.
    response.on("close", () => gone.abort());
    const previousPlan = conversation_history.at(-1)?.plan ?? undefined;
    const answer = await assistant.ask({
      ...{ orgId, timeZone: zoneOf(orgId), question: query, signal: gone.signal },
      ...(previousPlan === undefined ? {} : { previousPlan }),
    });
    response.json(answer);
  });

  router.get("/suggestions", async (request, response) => {
    const { orgId } = await authenticateUser(request);
    response.json({ data: await assistant.suggestions(orgId) });
  });
  return router;
}
