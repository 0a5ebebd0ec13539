import { isoTime } from "../../../ingest/clock.ts";
import { deliveryStateOf } from "../../config/delivery-state.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import { pauseView } from "../../config/pause.ts";
import type { Resource } from "../../config/registry.ts";
import { holderKinds } from "../../routing/call-stats/call-record.ts";
import { countCaps } from "../../routing/call-stats/cap-report.ts";
import { toLimitedHolder } from "../../routing/call-stats/count-operations.ts";
import type { CallStats, HolderKind } from "../../routing/call-stats.ts";
import { concurrencyLimit } from "../../routing/caps.ts";

interface Now {
  readonly config: OrgConfig;
  readonly stats: CallStats;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Calls of the organization's campaigns that have not ended. */
export const countLiveCalls = ({ config, stats }: Now): number =>
  config.all("campaign").reduce((sum, { id }) => sum + stats.inUse({ kind: "campaign", id }), 0);

/** The part of a limit from which on it counts as nearly used. */
const nearlyUsed = 0.8;
const mostCaps = 10;

/** Caps and limits of concurrency that are nearly or wholly used, the most used first, and how many there are. */
export function findUsedCaps(now: Now) {
  const found = holderKinds
    .flatMap((kind) => now.config.all(kind).flatMap((doc) => (isActive(doc) ? usedCapsOf(kind, doc, now) : [])))
    .sort((one, other) => other.used / other.limit - one.used / one.limit);
  return { count: found.length, data: found.slice(0, mostCaps) };
}

const isActive = (doc: Resource<HolderKind>): boolean => !("is_active" in doc) || doc.is_active !== false;

function usedCapsOf(kind: HolderKind, doc: Resource<HolderKind>, { config, stats, now }: Now) {
  const limited = toLimitedHolder(config, kind, doc);
  const about = { kind, id: doc.id, name: nameOf(doc) };
  const limit = concurrencyLimit(limited.limits);
  const used = limit === null ? 0 : stats.inUse(limited.holder);
  const concurrency = {
    ...about,
    type: "concurrency" as const,
    period: null,
    limit: limit ?? Number.POSITIVE_INFINITY,
    used,
    reached: limit !== null && used >= limit,
    resets_at: null,
  };
  const caps = countCaps(limited, stats, now).map(({ measure, period, limit, used, reached, resetsAt }) => ({
    ...about,
    type: measure,
    period,
    limit,
    used,
    reached,
    resets_at: resetsAt === null ? null : isoTime(resetsAt),
  }));
  // A limit of 0 closes a holder on purpose.
  return [concurrency, ...caps].filter(({ limit, used }) => limit > 0 && used >= nearlyUsed * limit);
}

const nameOf = (doc: Resource<HolderKind>): string => ("rtb_name" in doc ? doc.rtb_name : doc.name);

/** The outgoing webhooks that fail or are paused, and how many there are in all. */
export function findTroubledWebhooks({ config, now }: Now) {
  const all = config.all("outgoing_webhook");
  const data = all
    .map(({ id, name, pause, health }) => ({
      id,
      name,
      ...deliveryStateOf({ pause, health }, now),
      paused_at: pauseView(pause, now).paused_at,
      paused_until: pauseView(pause, now).paused_until,
    }))
    .filter(({ delivery_state }) => delivery_state !== "ok");
  return { count: all.length, data };
}

/** Returns the resources that a first call needs, from its number to its webhook; null for each that is missing. */
export function findFirstSteps({ config }: Now) {
  const campaign = config.all("campaign").find(isReachable);
  const [item] = campaign?.number_group_items ?? [];
  const number = config.get("number", item?.number_id) ?? config.all("number")[0];
  const [webhook] = config.all("outgoing_webhook");
  const named = [...config.all("campaign"), ...config.all("target")].flatMap((each) => each.outgoing_webhooks);
  return {
    number: number === undefined ? null : { id: number.id, number: number.number },
    publisher: toNamed(config.all("publisher")[0]),
    buyer: toNamed(config.all("buyer")[0]),
    target: toNamed(config.all("target")[0]),
    routing_plan: toNamed(config.all("routing_plan")[0]),
    campaign:
      campaign === undefined
        ? null
        : { id: campaign.id, name: campaign.name, outgoing_webhooks: campaign.outgoing_webhooks },
    webhook:
      webhook === undefined ? null : { id: webhook.id, name: webhook.name, is_attached: named.includes(webhook.id) },
  };
}

const toNamed = (doc: { readonly id: string; readonly name: string } | undefined) =>
  doc === undefined ? null : { id: doc.id, name: doc.name };

/** True for an active campaign with a number and routes. */
const isReachable = ({ is_active, routing_plan_id, call_flow_id, number_group_items }: Resource<"campaign">): boolean =>
  is_active && (routing_plan_id ?? call_flow_id) !== undefined && number_group_items.length > 0;
