import * as z from "zod/mini";
import { type Asked, nothingAsked, withQuery } from "../hash-location.ts";

const text = z.nullable(z.string());
const number = z.nullable(z.number());

/** The lists of the view, in the order of its tabs, with their names in bulk pause and resume. */
export const kinds = {
  campaign: { label: "Campaigns", one: "campaign", path: "campaigns", pausedAs: null, calls: "campaign" },
  publisher: { label: "Publishers", one: "publisher", path: "publishers", pausedAs: "publisher", calls: "publisher" },
  buyer: { label: "Buyers", one: "buyer", path: "buyers", pausedAs: "buyer", calls: "buyer" },
  target: { label: "Targets", one: "target", path: "targets", pausedAs: "target", calls: "target" },
  rtb_formula: { label: "RTB formulas", one: "RTB formula", path: "rtbs", pausedAs: "rtb", calls: "rtb" },
} as const;
export type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

/** The other parts of campaigns, in the order of the tabs. */
export const partKinds = {
  routing_plan: { label: "Plans", one: "routing plan", path: "routing-plans", of: "route" },
  rtb_group: { label: "RTB groups", one: "RTB group", path: "rtb-groups", of: "RTB formula" },
  number: { label: "Numbers", one: "number", path: "numbers", of: "" },
  number_pool: { label: "Number pools", one: "number pool", path: "number-pools", of: "number" },
} as const;
export type PartKind = keyof typeof partKinds;
const partKindNames = Object.keys(partKinds) as PartKind[];

const partSchema = z.object({
  kind: z.enum(["routing_plan", "rtb_group", "number", "number_pool"]),
  id: z.string(),
  name: z.string(),
  is_active: z.boolean(),
  state: text,
  size: number,
  max_size: number,
  in_use: z.nullable(
    z.object({ count: z.number(), data: z.array(z.object({ number: z.string(), until: z.string() })) }),
  ),
  resting: number,
  used_by: z.object({
    count: z.number(),
    data: z.array(
      z.object({ kind: z.enum(["campaign", "routing_plan", "number_pool"]), id: z.string(), name: z.string() }),
    ),
  }),
});
export type PartRow = z.infer<typeof partSchema>;
/** The answer of `GET /v1/routing/parts`. */
export const partsSchema = z.object({
  data: z.array(partSchema),
  meta: z.object({ total: z.number(), next_offset: number, previous_offset: number }),
});

const open = { is_open: z.boolean(), reason: text, detail: text };
const pause = { is_paused: z.boolean(), paused_until: text };

const limits = {
  in_use: z.number(),
  max_concurrency: number,
  caps: z.array(
    z.object({
      type: z.string(),
      period: z.string(),
      limit: z.number(),
      used: z.number(),
      reached: z.boolean(),
      resets_at: text,
    }),
  ),
};
const limitsSchema = z.object(limits);
/** How far a thing's limits are used now. */
export type Limits = z.infer<typeof limitsSchema>;

const rowSchema = z.object({
  kind: z.enum(["campaign", "publisher", "buyer", "target", "rtb_formula"]),
  id: z.string(),
  name: z.string(),
  is_active: z.boolean(),
  ...pause,
  ...open,
  ...limits,
  buyer_name: text,
});
export type StateRow = z.infer<typeof rowSchema>;

/** The answer of `GET /v1/routing/state`. */
export const stateSchema = z.object({
  data: z.array(rowSchema),
  meta: z.object({ total: z.number(), next_offset: number, previous_offset: number, offset: z.number() }),
  may_change: z.boolean(),
});
export type StatePage = z.infer<typeof stateSchema>;

const place = {
  route_id: text,
  destination_type: text,
  destination_id: text,
  destination_name: text,
  buyer_name: text,
};
const named = z.nullable(z.object({ id: z.string(), name: z.string() }));
const numberSchema = z.object({
  row_id: z.string(),
  number: text,
  publisher_name: text,
  is_active: z.boolean(),
  ...pause,
});
export type NumberRow = z.infer<typeof numberSchema>;
const planRouteSchema = z.object({
  ...place,
  priority: z.number(),
  weight: z.number(),
  ...open,
  limits: z.nullable(limitsSchema),
});
export type PlanRoute = z.infer<typeof planRouteSchema>;

/** The answer of `GET /v1/campaigns/{campaign_id}/routing`. */
export const planSchema = z.object({
  ...rowSchema.shape,
  may_change: z.boolean(),
  numbers: z.array(numberSchema),
  routing_plan: named,
  call_flow: named,
  routes: z.array(planRouteSchema),
});
export type Plan = z.infer<typeof planSchema>;
export const planPath = (id: string): string => `/v1/campaigns/${encodeURIComponent(id)}/routing`;

const dryRouteSchema = z.object({
  ...place,
  priority: number,
  weight: number,
  rtb_group_id: text,
  verdict: z.enum(["eligible", "bid", "would_be_asked", "refused"]),
  reason: text,
  detail: text,
  bid: number,
  terms: z.nullable(
    z.object({
      buyer: z.object({ revenue: z.number() }),
      publisher: z.nullable(z.object({ payout: z.number(), percentage: z.nullish(z.number()) })),
      payable: z.boolean(),
      receivable: z.boolean(),
    }),
  ),
  turn: number,
  share: number,
});
export type DryRoute = z.infer<typeof dryRouteSchema>;

/** The answer of `POST /v1/routing/dry-run`. */
export const dryRunSchema = z.object({
  at: z.string(),
  outcome: z.enum(["taken", "depends_on_bids", "refused", "not_taken"]),
  reason: text,
  caller_id: text,
  caller_state: text,
  campaign: named,
  publisher: named,
  repeat_caller: z.boolean(),
  tcpa_result: text,
  inbound_request_id: text,
  routes: z.array(dryRouteSchema),
});
export type DryRun = z.infer<typeof dryRunSchema>;

/** The answer of bulk pause and resume. */
export const bulkSchema = z.object({
  data: z.array(z.object({ success: z.boolean(), error: z.nullable(z.object({ message: z.string() })) })),
});

/** The place that the address names: a list, a campaign's plan, or a dry run. */
export type RoutingLocation =
  | { readonly kind: "list"; readonly of: Kind; readonly search: string; readonly offset: number }
  | { readonly kind: "parts"; readonly of: PartKind; readonly search: string; readonly offset: number }
  | { readonly kind: "campaign"; readonly id: string }
  | { readonly kind: "dry_run"; readonly asked: Asked };

export const readRouting = (hash: string): RoutingLocation => {
  const [path = "", query = ""] = hash.split("?");
  const given = new URLSearchParams(query);
  const [, part, id = ""] = path.split("/");
  if (part === "campaign" && id !== "") return { kind: "campaign", id };
  if (part === "dry-run") {
    const asked = Object.keys(nothingAsked).map((name) => [name, given.get(name) ?? ""]);
    return { kind: "dry_run", asked: Object.fromEntries(asked) };
  }
  const offset = Number(given.get("offset"));
  const at = { search: given.get("search") ?? "", offset: Number.isInteger(offset) ? Math.max(0, offset) : 0 };
  const parts = partKindNames.find((kind) => kind === given.get("kind"));
  if (parts !== undefined) return { kind: "parts", of: parts, ...at };
  return { kind: "list", of: kindNames.find((kind) => kind === given.get("kind")) ?? "campaign", ...at };
};

export const listHash = (of: Kind | PartKind, search = "", offset = 0): string =>
  withQuery("#routing", { kind: of === "campaign" ? "" : of, search, offset: offset === 0 ? "" : String(offset) });
export const campaignHash = (id: string): string => `#routing/campaign/${id}`;

/** `key=value` pairs by commas or lines. */
export const readTags = (typed: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    typed
      .split(/[,\n]/)
      .map((pair) => pair.split("="))
      .flatMap(([key = "", ...value]) => (key.trim() === "" ? [] : [[key.trim(), value.join("=").trim()]])),
  );

/** The request of a dry run; without a caller, of an anonymous one. */
export const dryRunBody = ({ to, from, state, zip, tags, at }: Asked) => ({
  from: from.trim() || "anonymous",
  to: to.trim(),
  ...(state.trim() !== "" && { caller_state: state.trim() }),
  ...(zip.trim() !== "" && { caller_zip: zip.trim() }),
  ...(tags.trim() !== "" && { tags: readTags(tags) }),
  ...(at !== "" && { at: `${at}:00Z` }),
});
