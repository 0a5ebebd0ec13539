import type { z } from "zod";
import { type Call, callStatuses } from "../../../ingest/call.ts";
import { type Clock, isoTime } from "../../../ingest/clock.ts";
import { type CallId, unreachable } from "../../../ingest/primitives.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { Resource } from "../../config/registry.ts";
import { parseInput } from "../../serve/errors.ts";
import { callDataBody, updateFieldsBody, updateRevenueBody, updateTagsBody } from "./bodies.ts";
import { changeOfFields, changeOfRevenue, changeOfTags } from "./changes.ts";
import type { CallFinder, Campaigns, FoundCall } from "./find-call.ts";
import { type GivenTags, tagNameOf, tagsAsNamed, tagsOfCallData } from "./given-tags.ts";
import { type Change, type Plan, planChange, planNothing, toIgnored, unmatched } from "./plan.ts";

/** The webhook whose key a request has, with its organization's config. */
export interface ReceivingWebhook {
  readonly config: OrgConfig;
  readonly webhook: Resource<"incoming_webhook">;
}
export interface ParsedRequest extends ReceivingWebhook {
  readonly body: Body;
}
export type Body = Given & {
  /** Names of fields that the type does not have; none of call data, where any may be a tag. */
  readonly unknown: readonly string[];
};
type Given =
  | { readonly type: "call_data"; readonly given: z.output<typeof callDataBody> }
  | { readonly type: "update_revenue"; readonly given: z.output<typeof updateRevenueBody> }
  | { readonly type: "update_tags"; readonly given: z.output<typeof updateTagsBody> }
  | { readonly type: "update_fields"; readonly given: z.output<typeof updateFieldsBody> };

/** Throws `ValidationError`. */
export function parseRequest(type: Body["type"], body: unknown): Body {
  switch (type) {
    case "call_data":
      return { type, given: parseInput(callDataBody, body, "body"), unknown: [] };
    case "update_revenue":
      return { type, given: parseInput(updateRevenueBody, body, "body"), unknown: unknownIn(updateRevenueBody, body) };
    case "update_tags":
      return { type, given: parseInput(updateTagsBody, body, "body"), unknown: unknownIn(updateTagsBody, body) };
    case "update_fields":
      return { type, given: parseInput(updateFieldsBody, body, "body"), unknown: unknownIn(updateFieldsBody, body) };
    default:
      return unreachable(type);
  }
}

const unknownIn = ({ shape }: z.ZodObject, body: unknown): string[] =>
  Object.keys(body ?? {}).filter((name) => !Object.hasOwn(shape, name));

/** Adds names to those that the change's answer shows as ignored. */
const alsoIgnoring = (change: Change, unknown: readonly string[]): Change =>
  unknown.length === 0 ? change : { ...change, ignored: [...(change.ignored ?? []), ...unknown] };

const notFoundFor = (ignored: readonly string[]): Plan =>
  planNothing(null, ignored.length === 0 ? unmatched : { ...unmatched, ...toIgnored(ignored) });

interface Subject {
  readonly call_id?: CallId | null | undefined;
  readonly caller_id?: string | null | undefined;
}

export interface ChangePlannerDeps {
  readonly finder: CallFinder;
  readonly clock: Clock;
  newId(): string;
}

/** Returns the campaigns that name a webhook, whose calls it is about; null where none does: then all calls. */
function campaignsNaming(config: OrgConfig, webhookId: string): Campaigns {
  const naming = config.all("campaign").filter(({ incoming_webhooks }) => incoming_webhooks.includes(webhookId));
  return naming.length === 0 ? null : new Set(naming.map(({ id }) => id));
}

const dayMs = 86_400_000;
/** Statuses of answered calls: no other has money. */
const answered: readonly Call["status"][] = ["connected", "completed"];

/** Plans the change that a request asks for; planning changes nothing. */
export function createChangePlanner({ finder, clock, newId }: ChangePlannerDeps) {
  async function find(
    { config, webhook }: ReceivingWebhook,
    { call_id, caller_id }: Subject,
    statuses: readonly Call["status"][] = callStatuses,
  ): Promise<FoundCall | null> {
    const orgId = config.organization.id;
    const campaigns = campaignsNaming(config, webhook.id);
    if (call_id) {
      const found = await finder.byId(orgId, call_id, campaigns);
      return found !== null && statuses.includes(found.stored?.call.status ?? "incoming") ? found : null;
    }
    const since = clock.now() - webhook.caller_id_match_days * dayMs;
    return caller_id ? finder.byCaller({ orgId, caller: caller_id, since, statuses, campaigns }) : null;
  }

  const toPlan = ({ config, webhook }: ReceivingWebhook, found: FoundCall, change: Change): Plan =>
    planChange(change, {
      orgId: config.organization.id,
      source: `incoming_webhook:${webhook.id}`,
      found,
      now: clock.now(),
      updateId: newId(),
    });

  async function planCallData(received: ReceivingWebhook, given: z.output<typeof callDataBody>): Promise<Plan> {
    const { tags, ignored } = tagsOfCallData(given, received.config);
    // Before calls are looked for: one may begin and end meanwhile.
    const now = clock.now();
    const found = await find(received, { caller_id: given.caller_id });
    if (found === null) return keepForNextCall(received, given.caller_id, { now, tags, ignored });
    if (Object.keys(tags).length > 0) return toPlan(received, found, changeOfTags({ tags, remove: [], ignored }));
    const rest = toIgnored(ignored.length === 0 ? null : ignored);
    const answer = { success: true, matched: true, call_id: found.callId, before: {}, after: {}, ...rest };
    return planNothing(found.callId, answer);
  }

  /** Keeps data for `lifespan` seconds, for the caller's next call. */
  function keepForNextCall(received: ReceivingWebhook, caller: string, given: GivenTags & { now: number }): Plan {
    const { config, webhook } = received;
    const { now, tags, ignored } = given;
    const plan = notFoundFor(ignored);
    if (Object.keys(tags).length === 0) return plan;
    const times = { received_at: isoTime(now), expires_at: isoTime(now + webhook.lifespan * 1000) };
    const campaigns = campaignsNaming(config, webhook.id);
    const campaign_ids = campaigns === null ? null : [...campaigns];
    return { ...plan, keep: { id: newId(), caller, tags: { ...tags }, campaign_ids, ...times } };
  }

  return async (request: ParsedRequest): Promise<Plan> => {
    const { body } = request;
    if (body.type === "call_data") return planCallData(request, body.given);
    const found = await find(request, body.given, body.type === "update_revenue" ? answered : callStatuses);
    if (found === null) return notFoundFor(body.unknown);
    return toPlan(request, found, alsoIgnoring(changeOf(body, request.config), body.unknown));
  };
}

function changeOf(body: Exclude<Body, { type: "call_data" }>, config: OrgConfig): Change {
  switch (body.type) {
    case "update_revenue":
      return changeOfRevenue(body.given);
    case "update_tags": {
      const { tags, ignored } = tagsAsNamed({ ...body.given.tags, ...body.given.add }, config);
      const remove = (body.given.remove ?? []).map((name) => tagNameOf(name, config));
      return changeOfTags({ tags, remove, ignored });
    }
    case "update_fields":
      return changeOfFields(body.given);
    default:
      return unreachable(body);
  }
}
