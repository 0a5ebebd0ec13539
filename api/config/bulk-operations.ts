import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import type { Database } from "../database/database.ts";
import { actorName } from "../serve/caller.ts";
import { ApiError, conflict, notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import type { Actor } from "./audit.ts";
import { findCampaignsOfRows } from "./document-references.ts";
import { actorOf, type ConfigOperationsDeps } from "./operation-parts.ts";
import { type PauseRequest, pauseSchema, toPauseState } from "./pause.ts";
import type { ResourceDefinition } from "./resource.ts";
import { buyer } from "./resources/buyer.ts";
import { campaign } from "./resources/campaign.ts";
import { publisher } from "./resources/publisher.ts";
import { rtbFormula } from "./resources/rtb-formula.ts";
import { target } from "./resources/target.ts";
import { setRowPause } from "./special-operations.ts";

/** What can be paused in bulk, by the name that requests use (semantics 7.3). */
const definitionsByName = { target, rtb: rtbFormula, publisher, buyer } satisfies Record<string, ResourceDefinition>;
const resourceType = z.enum(["target", "rtb", "publisher", "buyer", "campaign_number"]);
const ids = z.array(z.string().min(1).max(64)).min(1).max(500);

const answer = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      success: z.boolean(),
      is_paused: z.boolean().nullable(),
      paused_until: timestamp.nullable(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
  meta: z.object({ requested: z.int(), succeeded: z.int(), failed: z.int() }),
});

interface BulkDeps extends ConfigOperationsDeps {
  readonly database: Database;
}

/** Pause and resume many; each row by itself, so one that fails keeps none of the others back. */
export function bulkOperations(deps: BulkDeps): Operation[] {
  const about = { method: "post", tag: "Bulk", access: "api_key", limit: "api", status: 200, answer } as const;
  return [
    defineOperation({
      ...about,
      path: "/api/v1/bulk/pause",
      summary: "Pause up to 500 targets, RTB formulas, buyers, publishers or campaign numbers",
      body: pauseSchema(deps.clock.now).extend({ resource_type: resourceType, ids }),
      example: { resource_type: "target", ids: ["TARGET_ID"], duration_minutes: 60 },
      handle: (request) => {
        const { resource_type, ids: wanted, ...pause } = request.body;
        return setAll(deps, actorOf(request), { type: resource_type, wanted, pause });
      },
    }),
    defineOperation({
      ...about,
      path: "/api/v1/bulk/resume",
      summary: "Resume up to 500 of them",
      body: z.object({ resource_type: resourceType, ids }),
      example: { resource_type: "target", ids: ["TARGET_ID"] },
      handle: (request) => {
        const { resource_type, ids: wanted } = request.body;
        return setAll(deps, actorOf(request), { type: resource_type, wanted, pause: null });
      },
    }),
  ];
}

interface PauseAll {
  readonly type: z.infer<typeof resourceType>;
  readonly wanted: readonly string[];
  /** null resumes. */
  readonly pause: PauseRequest | null;
}

async function setAll(deps: BulkDeps, actor: Actor, { type, wanted, pause }: PauseAll) {
  const { service, database } = deps;
  if (type === "campaign_number") {
    const campaigns = await findCampaignsOfRows(database, actor.caller.orgId, wanted);
    return forEach(wanted, (id) => setRow(deps, actor, { id, campaigns: campaigns.get(id) ?? [], pause }));
  }
  const definition: ResourceDefinition = definitionsByName[type];
  return forEach(wanted, (id) =>
    pause === null ? service.resume(definition, actor, id) : service.pause(definition, actor, { id, request: pause }),
  );
}

interface PauseRow {
  readonly id: string;
  /** Ids of those that have a row of this id. */
  readonly campaigns: readonly string[];
  readonly pause: PauseRequest | null;
}

/** Returns the row's pause fields as they are shown. */
async function setRow({ service }: BulkDeps, actor: Actor, { id, campaigns, pause }: PauseRow) {
  const [campaignId, another] = campaigns;
  if (campaignId === undefined) throw notFound(`The campaign number ${id}`);
  if (another !== undefined) {
    const both = `${campaignId} and ${another}`;
    throw conflict(`Several campaigns have a number row ${id}, such as ${both}: pause it by its campaign.`);
  }
  const view = await service.edit(campaign, actor, {
    id: campaignId,
    action: pause === null ? "resume" : "pause",
    apply(doc, now) {
      const state = pause === null ? null : toPauseState(pause, actorName(actor.caller), now);
      return setRowPause(doc, { rowId: id, pause: state, now });
    },
  });
  const rows = view.number_group_items as { id: string; is_paused: boolean; paused_until: string | null }[];
  return rows.find((row) => row.id === id) ?? {};
}

/** In the order given, each id once. */
async function forEach(wanted: readonly string[], work: (id: string) => Promise<Record<string, unknown>>) {
  const data = [];
  for (const id of new Set(wanted)) {
    const outcome = await work(id).then(
      ({ is_paused, paused_until }) => ({ success: true, is_paused, paused_until, error: null }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        return {
          success: false,
          is_paused: null,
          paused_until: null,
          error: { code: error.code, message: error.message },
        };
      },
    );
    data.push({ id, ...outcome });
  }
  const succeeded = data.filter(({ success }) => success).length;
  return { data, meta: { requested: data.length, succeeded, failed: data.length - succeeded } };
}
