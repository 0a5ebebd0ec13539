import { z } from "zod";
import { isoTime } from "../../../ingest/clock.ts";
import { timestamp, wellFormedText } from "../../../ingest/primitives.ts";
import { diffDocuments } from "../../config/audit-diff.ts";
import { recordChange } from "../../config/audit-outbox.ts";
import { actorOf } from "../../config/resource-operations.ts";
import { actorName, type Caller } from "../../serve/caller.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { may } from "../../serve/rights.ts";
import { findInstructions, type Instructions, replaceInstructions } from "./instructions-rows.ts";
import type { QueryDeps } from "./query-operation.ts";
import { auditedChange } from "./shared-questions.ts";

const mostBytes = 4096;

const about = {
  tag: "Reporting assistant",
  area: "organization",
  access: "user",
  limit: "assistant",
  status: 200,
} as const;
const path = "/reporting_ai/instructions";

const shown = z.object({
  instructions: z.string(),
  updated_by: z.string().nullable(),
  updated_at: timestamp.nullable(),
  may_change: z.boolean().describe("Whether you may change them: admins may."),
});

const toShown = ({ instructions, updatedBy, updatedAt }: Instructions, caller: Caller) => ({
  instructions,
  updated_by: updatedBy,
  updated_at: updatedAt,
  may_change: may(caller, "organization:write"),
});

/** Operations of an organization's own words for the assistant: a glossary and rules. */
export const instructionsOperations = (deps: QueryDeps): Operation[] => [
  defineOperation({
    ...about,
    method: "get",
    path,
    name: "getAssistantInstructions",
    summary: "The organization's own words for the assistant",
    answer: shown,
    errors: [503],
    handle: async ({ caller }) => toShown(await findInstructions(deps.database, caller.orgId), caller),
  }),
  defineOperation({
    ...about,
    method: "patch",
    path,
    name: "updateAssistantInstructions",
    summary:
      "Replace the organization's own words for the assistant: a glossary and rules, for all of its questions. A line such as West = California, Oregon and Washington is read by rules as well",
    body: z.object({
      instructions: wellFormedText
        .trim()
        .refine((text) => Buffer.byteLength(text) <= mostBytes, `must be at most ${mostBytes} bytes`),
    }),
    example: { instructions: "West = California, Oregon and Washington\nA qualified call is one over 90 seconds." },
    answer: shown,
    errors: [503],
    async handle(request) {
      const { caller, body } = request;
      const now = deps.clock.now();
      const written = { instructions: body.instructions, updatedBy: actorName(caller), updatedAt: isoTime(now) };
      await auditedChange(deps)(async (db) => {
        const { instructions } = await findInstructions(db, caller.orgId);
        const changes = diffDocuments({ secrets: [] }, { instructions }, { instructions: body.instructions });
        await replaceInstructions(db, caller.orgId, written);
        const entity = { type: "assistant_instructions", id: caller.orgId, name: "Instructions of the assistant" };
        if (changes.length > 0) await recordChange(db, actorOf(request), { action: "update", entity, changes, now });
        return { result: undefined, changes: [] };
      });
      return toShown(written, caller);
    },
  }),
];
