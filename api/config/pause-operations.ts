import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import type { Database } from "../database/database.ts";
import { actorName } from "../serve/caller.ts";
import { ApiError, conflict, notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { requirePermissions } from "../serve/rights.ts";
import type { Actor } from "./audit-outbox.ts";
import type { Document } from "./document.ts";
import { findCampaignsOfRows } from "./document-references.ts";
import { isPaused, type PauseRequest, type PauseState, pauseSchema, toPauseState } from "./pause.ts";
import { answerSchema, type ResourceDefinition } from "./resource.ts";
import { actorOf, type ConfigOperationsDeps, exampleAnswer } from "./resource-operations.ts";
import { buyer } from "./resources/buyer.ts";
import { campaign } from "./resources/campaign.ts";
import { outgoingWebhook } from "./resources/outgoing-webhook.ts";
import { publisher } from "./resources/publisher.ts";
import { rtbFormula } from "./resources/rtb-formula.ts";
import { target } from "./resources/target.ts";
import type { EditById } from "./service.ts";

/** Resources that can be paused in bulk, by the name that requests use. */
const definitionsByName = {
  target,
  rtb: rtbFormula,
  publisher,
  buyer,
  outgoing_webhook: outgoingWebhook,
} satisfies Record<string, ResourceDefinition>;
const resourceType = z.enum(["target", "rtb", "publisher", "buyer", "campaign_number", "outgoing_webhook"]);
const id = z.string().min(1).max(64);
const ids = z.array(id).min(1).max(500);

const bulkAnswer = z.object({
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

interface PauseOperationsDeps extends ConfigOperationsDeps {
  readonly database: Database;
}

/** Pause and resume of a campaign's numbers, and of many resources in bulk: each by itself, so failures stay single. */
export const pauseOperations = (deps: PauseOperationsDeps): Operation[] => [
  ...campaignNumberOperations(deps),
  ...bulkPauseOperations(deps),
];

export const bulkPauseOperations = (deps: PauseOperationsDeps): Operation[] => [bulkPause(deps), bulkResume(deps)];

/** A number of a campaign is paused by its row; the campaign's own writes never change that. */
function campaignNumberOperations({ service, clock }: PauseOperationsDeps): Operation[] {
  const about = {
    path: "/api/v1/campaigns/{campaign_id}/numbers/{row_id}/pause",
    params: z.object({ campaign_id: id, row_id: id }),
    tag: "Campaigns",
    access: "api_key",
    limit: "api",
    status: 200,
    answer: answerSchema(campaign),
    answerExample: exampleAnswer(campaign),
    errors: [404, 409],
  } as const;
  return [
    defineOperation({
      ...about,
      method: "post",
      name: "pauseCampaignNumber",
      summary: "Pause a number of a campaign",
      body: pauseSchema(clock.now),
      bodyOptional: true,
      example: { duration_minutes: 60 },
      handle: (request) =>
        service.edit(campaign, actorOf(request), editOfRow(request.params, actorOf(request), request.body)),
    }),
    defineOperation({
      ...about,
      method: "delete",
      name: "resumeCampaignNumber",
      summary: "Resume a number of a campaign",
      handle: (request) => service.edit(campaign, actorOf(request), editOfRow(request.params, actorOf(request), null)),
    }),
  ];
}

interface RowName {
  readonly campaign_id: string;
  readonly row_id: string;
}

/** Returns the edit of a campaign that pauses one of its number rows; null resumes it. */
const editOfRow = ({ campaign_id, row_id }: RowName, { caller }: Actor, request: PauseRequest | null): EditById => ({
  id: campaign_id,
  action: request === null ? "resume" : "pause",
  apply(doc, now) {
    const pause = request === null ? null : toPauseState(request, actorName(caller), now);
    return setRowPause(doc, { rowId: row_id, pause, now });
  },
});

interface RowPause {
  readonly rowId: string;
  /** null resumes. */
  readonly pause: PauseState | null;
  readonly now: number;
}

/** Returns the campaign with one of its number rows paused or resumed; throws 404 when it has no such row. */
export function setRowPause(doc: Document, { rowId, pause, now }: RowPause): Document {
  const rows = doc.number_group_items as { id: string; pause?: PauseState | null }[];
  const found = rows.find(({ id }) => id === rowId);
  if (found === undefined) throw notFound(`The number row ${rowId} of this campaign`);
  if (pause === null && !isPaused(found.pause, now)) return doc;
  return { ...doc, number_group_items: rows.map((row) => (row.id === rowId ? { ...row, pause } : row)) };
}

const aboutBulk = {
  method: "post",
  tag: "Bulk",
  access: "api_key",
  limit: "api",
  status: 200,
  answer: bulkAnswer,
} as const;

const bulkPause = (deps: PauseOperationsDeps): Operation =>
  defineOperation({
    ...aboutBulk,
    path: "/api/v1/bulk/pause",
    name: "bulkPause",
    summary: "Pause up to 500 targets, RTB formulas, buyers, publishers, campaign numbers or outgoing webhooks",
    body: pauseSchema(deps.clock.now).extend({ resource_type: resourceType, ids }),
    example: { resource_type: "target", ids: ["TARGET_ID"], duration_minutes: 60 },
    handle(request) {
      const { resource_type: type, ids: wanted, ...pause } = request.body;
      return setAll(deps, actorOf(request), { type, wanted, pause });
    },
  });

const bulkResume = (deps: PauseOperationsDeps): Operation =>
  defineOperation({
    ...aboutBulk,
    path: "/api/v1/bulk/resume",
    name: "bulkResume",
    summary: "Resume up to 500 of them",
    body: z.object({ resource_type: resourceType, ids }),
    example: { resource_type: "target", ids: ["TARGET_ID"] },
    handle(request) {
      const { resource_type: type, ids: wanted } = request.body;
      return setAll(deps, actorOf(request), { type, wanted, pause: null });
    },
  });

interface BulkRequest {
  readonly type: z.infer<typeof resourceType>;
  readonly wanted: readonly string[];
  /** null resumes. */
  readonly pause: PauseRequest | null;
}

async function setAll(deps: PauseOperationsDeps, actor: Actor, { type, wanted, pause }: BulkRequest) {
  const { service, database } = deps;
  // Paused by themselves, they take this right.
  if (type === "outgoing_webhook") requirePermissions(actor.caller, ["webhooks:write"]);
  if (type === "campaign_number") {
    const campaigns = await findCampaignsOfRows(database, actor.caller.orgId, wanted);
    return forEach(wanted, (row) => setRow(deps, actor, { row, campaigns: campaigns.get(row) ?? [], pause }));
  }
  const definition: ResourceDefinition = definitionsByName[type];
  return forEach(wanted, (each) =>
    pause === null
      ? service.resume(definition, actor, each)
      : service.pause(definition, actor, { id: each, request: pause }),
  );
}

interface BulkRow {
  readonly row: string;
  /** Ids of the campaigns that have a row of this id. */
  readonly campaigns: readonly string[];
  readonly pause: PauseRequest | null;
}

/** Pauses or resumes a number row by its id alone; returns its pause fields as answers show them. */
async function setRow({ service }: PauseOperationsDeps, actor: Actor, { row, campaigns, pause }: BulkRow) {
  const [campaign_id, another] = campaigns;
  if (campaign_id === undefined) throw notFound(`The campaign number ${row}`);
  if (another !== undefined) {
    const both = `${campaign_id} and ${another}`;
    throw conflict(`Several campaigns have a number row ${row}, such as ${both}: pause it by its campaign.`);
  }
  const view = await service.edit(campaign, actor, editOfRow({ campaign_id, row_id: row }, actor, pause));
  const rows = view.number_group_items as { id: string; is_paused: boolean; paused_until: string | null }[];
  return rows.find((each) => each.id === row) ?? {};
}

/** Runs the work once for each id, in the order given, and collects the outcomes. */
async function forEach(wanted: readonly string[], work: (id: string) => Promise<Record<string, unknown>>) {
  const data = [];
  for (const each of new Set(wanted)) {
    const outcome = await work(each).then(
      ({ is_paused, paused_until }) => ({ success: true, is_paused, paused_until, error: null }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        const { code, message } = error;
        return { success: false, is_paused: null, paused_until: null, error: { code, message } };
      },
    );
    data.push({ id: each, ...outcome });
  }
  const succeeded = data.filter(({ success }) => success).length;
  return { data, meta: { requested: data.length, succeeded, failed: data.length - succeeded } };
}
