import { createHash } from "node:crypto";
import { z } from "zod";
import { parsePlan } from "../../../assistant/parse-plan.ts";
import { planSchema } from "../../../assistant/plan.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { timestamp, wellFormedText } from "../../../ingest/primitives.ts";
import { dayMs } from "../../../ingest/time-zone.ts";
import { actorName } from "../../serve/caller.ts";
import { conflict, notFound, ValidationError } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { type QueryDeps, zoneOf } from "../conversations/query-operation.ts";
import { examplePlan, toRunnable, toSavedPlan } from "../saved/saved-plan.ts";
import { findLink, insertLink, keptDays, type LinkDoc, longestDoc, mostLinks } from "./link-rows.ts";

const about = { tag: "Reporting assistant", area: "questions", access: "user", limit: "assistant" } as const;
const path = "/reporting_ai/links";

const expires_at = timestamp.describe("Until when it can be opened.");
const isMoving = z
  .boolean()
  .describe("Whether its period is read anew each time it is opened: last month stays last month.");

/** Operations of short links: a question that is shared within the organization, and asked anew by whoever opens it. */
export const linkOperations = (deps: QueryDeps): Operation[] => [
  defineOperation({
    ...about,
    status: 201,
    method: "post",
    path,
    name: "shareQuestion",
    summary: `Make a short link that asks a question, for all of the organization; it expires ${keptDays} days after it was shared last`,
    body: z.object({
      query: wellFormedText.trim().min(1).max(2000).describe("What was asked."),
      plan: z.unknown().describe("The plan of its answer."),
    }),
    example: { query: "revenue by campaign last month", plan: examplePlan },
    answer: z.object({
      id: z.string().describe("The page opens it at `#link/<id>`."),
      expires_at,
      moves: z
        .boolean()
        .describe("Whether its period is read anew each time it is opened: last month stays last month."),
    }),
    errors: [409, 503],
    async handle({ caller, body: { query, plan: given } }) {
      const shared = parsePlan(given);
      if (shared === null) throw refused("is no plan of an answer that can be run");
      const { assistant, clock, database } = deps;
      const now = clock.now();
      const reading = { assistant, orgId: caller.orgId, timeZone: zoneOf(deps, caller.orgId), query, now };
      const stored: LinkDoc = { query, plan: await toSavedPlan(shared, reading), shared };
      const doc = JSON.stringify(stored);
      if (doc.length > longestDoc) throw refused("is too long for a short link");
      const link = {
        id: idOf(doc),
        createdBy: actorName(caller),
        createdAt: isoTime(now),
        expiresAt: isoTime(now + keptDays * dayMs),
        doc,
      };
      const made = await database.transaction((db) => insertLink(db, caller.orgId, link));
      if (made === null)
        throw conflict(`Your organization has ${mostLinks} short links, the most that are good at a time.`);
      return { id: made.id, expires_at: made.expiresAt, moves: moves(stored) };
    },
  }),
  defineOperation({
    ...about,
    status: 200,
    method: "get",
    path: `${path}/{link_id}`,
    params: z.object({ link_id: z.string().min(1).max(64) }),
    name: "getSharedQuestion",
    summary: "The question of a short link, with the plan that answers it today and the one it was shared with",
    answer: z.object({
      id: z.string().describe("Of the link."),
      query: z.string().describe("What was asked."),
      plan: planSchema.nullable().describe("Can be sent with the question; null where it can no longer be run."),
      shared_plan: planSchema.nullable().describe("The plan with the dates that it had when it was shared."),
      moves: isMoving,
      created_by: z.string().describe("Who shared it first: `user:<id>`."),
      created_at: timestamp.describe("When it was shared first."),
      expires_at,
    }),
    errors: [404, 503],
    async handle({ caller: { orgId }, params: { link_id: id } }) {
      const { assistant, clock, database } = deps;
      const link = await findLink(database, orgId, { id, now: clock.now() });
      if (link?.doc == null) throw notFound(`The link ${id}`);
      const { doc } = link;
      return {
        id,
        query: doc.query,
        plan: parsePlan(await toRunnable(doc, { assistant, orgId, timeZone: zoneOf(deps, orgId) })),
        shared_plan: parsePlan(doc.shared),
        moves: moves(doc),
        created_by: link.createdBy,
        created_at: link.createdAt,
        expires_at: link.expiresAt,
      };
    },
  }),
];

const moves = ({ plan }: LinkDoc): boolean => plan.kind !== "fixed";

/** 72 bits of the document's hash: a question that is shared twice with the same dates has one link. */
const idOf = (doc: string): string => createHash("sha256").update(doc).digest("base64url").slice(0, 12);

const refused = (msg: string) => new ValidationError([{ loc: ["body", "plan"], msg, type: "plan_invalid" }]);
