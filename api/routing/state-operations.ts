import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import { type PauseState, pauseView } from "../config/pause.ts";
import type { Resource } from "../config/registry.ts";
import { nameOf, sortedByName, withNameLike } from "../config/sorted-by-name.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import { may } from "../serve/rights.ts";
import { holderKinds } from "./call-stats/call-record.ts";
import { countFields, countsOf, toLimitedHolder } from "./call-stats/count-operations.ts";
import type { HolderKind } from "./call-stats.ts";
import { type Now, nowOf, type Owner, type RoutingStateDeps, refusalOf, refusalOfRoute } from "./closed-now.ts";
import { destinationOfRoute } from "./route.ts";
import { routePlace, toPlace } from "./route-place.ts";

const text = z.string().nullable();
const openFields = {
  is_open: z.boolean().describe("Whether calls are taken now, whoever calls."),
  reason: text.describe("Why not, as in a call's timeline; null while it is open."),
  detail: text.describe("Whose cap or limit it is."),
} as const;
const pauseFields = {
  is_paused: z.boolean(),
  paused_at: timestamp.nullable(),
  paused_until: timestamp.nullable(),
} as const;

const row = z.object({
  kind: z.enum(holderKinds).describe("What it is."),
  id: z.string(),
  name: z.string(),
  is_active: z.boolean(),
  ...pauseFields,
  ...openFields,
  ...countFields,
  buyer_id: text.describe("Of a target and an RTB formula; else null."),
  buyer_name: text,
});

const numberRow = z.object({
  row_id: z.string(),
  number_id: z.string(),
  number: text.describe("In E.164; null once it is gone."),
  publisher_id: text,
  publisher_name: text,
  is_active: z.boolean(),
  ...pauseFields,
});

const routeRow = z.object({
  ...routePlace,
  priority: z.number(),
  weight: z.number(),
  ...openFields,
  limits: z
    .object(countFields)
    .nullable()
    .describe("How far the limits of its target or RTB formula are used; null where it leads to something else."),
});

const named = z.object({ id: z.string(), name: z.string() }).nullable();
const plan = z.object({
  ...row.shape,
  may_change: z.boolean().describe("Whether you may pause and resume: keys and admins may."),
  numbers: z.array(numberRow).describe("The rows of `number_group_items`."),
  routing_plan: named,
  call_flow: named.describe("The call flow, with its name; null without one."),
  routes: z.array(routeRow).describe("The routes of its plan by priority, then weight."),
});

const state = pageOf(row).extend({ may_change: z.boolean().describe("Whether you may pause and resume.") });

const query = pageQuery.omit({ sort_direction: true }).extend({
  kind: z.enum(holderKinds),
  search: z.string().max(255).default("").describe("A part of the name, in any case."),
});

/** The operations that show what is open and closed, with its limits as they are used now. */
export const routingStateOperations = (deps: RoutingStateDeps): Operation[] => [
  defineOperation({
    method: "get",
    path: "/api/v1/routing/state",
    tag: "Routing",
    name: "listRoutingState",
    summary: "List campaigns, publishers, buyers, targets or RTB formulas with what is closed now and why, by name",
    access: "api_key",
    limit: "api",
    status: 200,
    query,
    answer: state,
    async handle({ caller, query: { kind, search, ...page } }) {
      const now = nowOf(deps, caller.orgId);
      const found = withNameLike<Resource<HolderKind>>(sortedByName(now.config, kind), search);
      const shown = found.slice(page.offset, page.offset + page.limit).map((doc) => toRow(kind, doc, now));
      return { ...toPage(shown, found.length, page), may_change: may(caller, "config:write") };
    },
  }),
  defineOperation({
    method: "get",
    path: "/api/v1/campaigns/{campaign_id}/routing",
    params: z.object({ campaign_id: z.string().min(1).max(255) }),
    tag: "Routing",
    name: "getCampaignRouting",
    summary: "Get a campaign's numbers and the routes of its plan, with what is closed now and why",
    access: "api_key",
    limit: "api",
    status: 200,
    answer: plan,
    errors: [404],
    async handle({ caller, params: { campaign_id } }): Promise<z.input<typeof plan>> {
      const now = nowOf(deps, caller.orgId);
      const campaign = now.config.get("campaign", campaign_id);
      if (campaign === undefined) throw notFound(`The campaign ${campaign_id}`);
      return { ...toRow("campaign", campaign, now), may_change: may(caller, "config:write"), ...toPlan(campaign, now) };
    },
  }),
];

type Row = z.input<typeof row>;

function toRow(kind: HolderKind, doc: Resource<HolderKind>, now: Now): Row {
  const { config } = now;
  const buyerId = "buyer_id" in doc ? doc.buyer_id : undefined;
  const refusal = refusalOf(kind, doc, now);
  return {
    kind,
    id: doc.id,
    name: nameOf(doc),
    is_active: doc.is_active,
    ...toPause("pause" in doc ? doc.pause : null, now),
    is_open: refusal === null,
    reason: refusal?.reason ?? null,
    detail: refusal?.detail ?? null,
    ...countsOf(toLimitedHolder(config, kind, doc), now.stats, now.now),
    buyer_id: buyerId ?? null,
    buyer_name: config.get("buyer", buyerId)?.name ?? null,
  };
}

const toPause = (pause: PauseState | null | undefined, { now }: Now) => {
  const { is_paused, paused_at, paused_until } = pauseView(pause, now);
  return { is_paused, paused_at, paused_until };
};

/** The campaign's numbers, and its plan with the state of what its routes lead to. */
function toPlan(campaign: Resource<"campaign">, now: Now) {
  const { config } = now;
  const found = config.get("routing_plan", campaign.routing_plan_id);
  const flow = config.get("call_flow", campaign.call_flow_id);
  const rows = (found?.routes ?? []).toSorted(
    (one, other) => one.priority - other.priority || other.weight - one.weight,
  );
  return {
    numbers: campaign.number_group_items.map((item) => ({
      row_id: item.id ?? "",
      number_id: item.number_id,
      number: config.get("number", item.number_id)?.number ?? null,
      publisher_id: item.publisher_id ?? null,
      publisher_name: config.get("publisher", item.publisher_id)?.name ?? null,
      is_active: item.is_active,
      ...toPause("pause" in item ? (item.pause as PauseState | null) : null, now),
    })),
    routing_plan: found === undefined ? null : { id: found.id, name: found.name },
    call_flow: flow === undefined ? null : { id: flow.id, name: flow.name },
    routes: rows.map((each) => toRoute(each, { campaign, plan: found }, now)),
  };
}

function toRoute(each: Resource<"routing_plan">["routes"][number], owner: Owner, now: Now): z.input<typeof routeRow> {
  const to = destinationOfRoute(each);
  const refusal = refusalOfRoute(to, owner, now);
  return {
    ...toPlace({ route_id: each.id ?? null, kind: to?.kind ?? null, id: to?.id ?? null }, now.config),
    priority: each.priority,
    weight: each.weight,
    is_open: refusal === null,
    reason: refusal?.reason ?? null,
    detail: refusal?.detail ?? null,
    limits: limitsOf(to, now),
  };
}

function limitsOf(to: ReturnType<typeof destinationOfRoute>, { config, stats, now }: Now) {
  if (to === null || (to.kind !== "target" && to.kind !== "rtb_formula")) return null;
  const doc = config.get(to.kind, to.id);
  return doc === undefined ? null : countsOf(toLimitedHolder(config, to.kind, doc), stats, now);
}
