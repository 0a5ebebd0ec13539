import { z } from "zod";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import {
  type IncomingWebhookStats,
  incomingWebhookStats,
  type OutgoingWebhookStats,
  outgoingWebhookStats,
  type WebhookStatsAsked,
} from "../../warehouse/history/webhook-stats.ts";
import { type Warehouse, WarehouseError } from "../../warehouse/warehouse.ts";
import type { Dialects } from "../app-context.ts";
import { deliveryStateOf } from "../config/delivery-state.ts";
import type { OrgConfig } from "../config/org-config.ts";
import { pauseView } from "../config/pause.ts";
import type { Resource } from "../config/registry.ts";
import { incomingWebhook } from "../config/resources/incoming-webhook.ts";
import type { Snapshot } from "../config/snapshot.ts";
import { nameOf, sortedByName, withNameLike } from "../config/sorted-by-name.ts";
import type { Queryable } from "../database/database.ts";
import type { Caller } from "../serve/caller.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageQuery, toPage } from "../serve/pages.ts";
import { createReadCache, type ReadCache } from "../serve/read-cache.ts";
import { may } from "../serve/rights.ts";
import { timeQuery, toTimeRange } from "../serve/time-range.ts";
import { incomingRow, listOf, outgoingRow } from "./stats-answers.ts";
import { countHeld } from "./waiting.ts";

export interface WebhookStatsDeps {
  readonly snapshot: Pick<Snapshot, "config">;
  readonly warehouse: Pick<Warehouse, "query">;
  readonly dialects: Pick<Dialects, "rtb">;
  readonly database: Queryable;
  readonly clock: Clock;
  readonly delivery: { readonly keepMs: number };
}

const query = pageQuery.omit({ sort_direction: true }).extend({
  ...timeQuery,
  search: z.string().max(255).default("").describe("A part of the name, in any case."),
  webhook_id: z.string().min(1).max(255).optional().describe("This one alone."),
});
type Query = z.output<typeof query>;

const about = { method: "get", tag: "Webhook history", access: "api_key", limit: "api", status: 200, query } as const;

/** The time for which figures are cached, in milliseconds: open pages ask every few seconds. */
const freshMs = { figures: 10_000, waiting: 2_000 } as const;

/** A page of webhooks with their state and their figures over a period, by default the last 24 hours. */
export const webhookStatsOperations = (given: WebhookStatsDeps): Operation[] => {
  const deps: CachingDeps = { ...given, cache: createReadCache(given.clock) };
  return [outgoingStats(deps), incomingStats(deps)];
};

type CachingDeps = WebhookStatsDeps & { readonly cache: ReadCache };

const outgoingStats = (deps: CachingDeps): Operation =>
  defineOperation({
    ...about,
    path: "/api/v1/webhooks/outgoing-stats",
    name: "listOutgoingWebhookStats",
    summary: "Outgoing webhooks with their state and figures over a period; those that fail or are paused first",
    answer: listOf(outgoingRow),
    async handle({ caller, query }) {
      const now = deps.clock.now();
      const config = configOf(deps, caller);
      const stateOf = ({ pause, health }: Resource<"outgoing_webhook">) => deliveryStateOf({ pause, health }, now);
      const named = select(sortedByName(config, "outgoing_webhook"), query);
      const isOk = (doc: Resource<"outgoing_webhook">) => stateOf(doc).delivery_state === "ok";
      const isPaused = (doc: Resource<"outgoing_webhook">) => stateOf(doc).delivery_state === "paused";
      const found = [...named.filter((doc) => !isOk(doc)), ...named.filter(isOk)];
      const attachments = attachmentsOf(config, outgoingHolders, (doc) => doc.outgoing_webhooks);
      const waitingOf = await waitingFor(deps, caller, found.filter(isPaused));
      return answer(
        deps,
        { caller, query, now, found },
        { kind: "outgoing", read: outgoingWebhookStats },
        (doc, stats): z.input<typeof outgoingRow> => ({
          id: doc.id,
          name: doc.name,
          event_type_id: doc.event_type_id,
          method: doc.method,
          url: withoutPassword(doc.url),
          is_signed: doc.signing != null,
          ...stateOf(doc),
          ...pauseView(doc.pause, now),
          waiting: waitingOf(doc.id),
          attached_to: attachments(doc.id),
          stats: stats && { ...(stats.get(doc.id) ?? noAttempts) },
        }),
      );
    },
  });

const incomingStats = (deps: CachingDeps): Operation =>
  defineOperation({
    ...about,
    path: "/api/v1/webhooks/incoming-stats",
    name: "listIncomingWebhookStats",
    summary: "Incoming webhooks with their addresses and figures over a period, by name",
    answer: listOf(incomingRow),
    async handle({ caller, query, baseUrl }) {
      const config = configOf(deps, caller);
      const found = select(sortedByName(config, "incoming_webhook"), query);
      const attachments = attachmentsOf(config, ["campaign"], (doc) => doc.incoming_webhooks);
      const asked = { caller, query, now: deps.clock.now(), found };
      return answer(
        deps,
        asked,
        { kind: "incoming", read: incomingWebhookStats },
        (doc, stats): z.input<typeof incomingRow> => ({
          id: doc.id,
          name: doc.name,
          type: doc.type,
          url: may(caller, "webhooks:write") ? urlOf(doc, baseUrl) : null,
          attached_to: attachments(doc.id),
          stats: stats && { ...(stats.get(doc.id) ?? noRequests) },
        }),
      );
    },
  });

/** Returns what waits for a paused webhook, by the webhook's id. */
async function waitingFor(
  { database, cache, delivery: { keepMs } }: CachingDeps,
  { orgId }: Caller,
  paused: readonly Resource<"outgoing_webhook">[],
) {
  const ids = paused.map(({ id }) => id);
  const read = () => countHeld(database, orgId, ids);
  const held = await cache(`${orgId} held ${ids.join()}`, freshMs.waiting, read);
  return (id: string) => {
    const waiting = held.get(id);
    if (waiting === undefined) return null;
    const { count, oldestAt } = waiting;
    return { count, oldest_at: oldestAt, expires_at: isoTime(Date.parse(oldestAt) + keepMs) };
  };
}

const urlOf = ({ type, auth_key }: Resource<"incoming_webhook">, baseUrl: string): string =>
  String(incomingWebhook.addresses?.({ type, auth_key }, baseUrl)["url"]);

function configOf({ snapshot }: WebhookStatsDeps, { orgId }: Caller): OrgConfig {
  const config = snapshot.config(orgId);
  if (config === undefined) throw notFound("The organization");
  return config;
}

const select = <D extends { readonly id: string; readonly name: string }>(
  docs: readonly D[],
  { search, webhook_id }: Query,
): readonly D[] => withNameLike(docs, search).filter(({ id }) => webhook_id === undefined || id === webhook_id);

interface Asked<D> {
  readonly caller: Caller;
  readonly query: Query;
  readonly now: number;
  readonly found: readonly D[];
}
type ReadStats<S> = (
  store: { readonly warehouse: WebhookStatsDeps["warehouse"]; readonly dialect: Dialects["rtb"] },
  asked: WebhookStatsAsked,
) => Promise<ReadonlyMap<string, S>>;

/** One answer from figures that all who ask within seconds share: with the period that they are of. */
async function answer<D extends { readonly id: string }, S, R>(
  { warehouse, dialects, cache }: CachingDeps,
  { caller, query, now, found }: Asked<D>,
  { kind, read }: { readonly kind: "outgoing" | "incoming"; readonly read: ReadStats<S> },
  toRow: (doc: D, stats: ReadonlyMap<string, S> | null) => R,
) {
  const wanted = toTimeRange(query, now);
  const shown = found.slice(query.offset, query.offset + query.limit);
  const webhookIds = shown.map(({ id }) => id);
  const { orgId } = caller;
  // A period up to now moves with each request; within these seconds its figures are the same to anybody who looks.
  const near = (time: Date): number => Math.floor(time.getTime() / freshMs.figures);
  const end = query.end_date === undefined ? "now" : near(wanted.to);
  const key = [orgId, kind, near(wanted.from), end, ...webhookIds].join(" ");
  const { period, stats } = await cache(key, freshMs.figures, async () => {
    const asked = { orgId, period: wanted, webhookIds };
    return { period: wanted, stats: await read({ warehouse, dialect: dialects.rtb }, asked).catch(unlessAway) };
  });
  return {
    ...toPage(
      shown.map((doc) => toRow(doc, stats)),
      found.length,
      query,
    ),
    start_date: period.from.toISOString(),
    end_date: period.to.toISOString(),
    may_change: may(caller, "webhooks:write"),
  };
}

/** Returns null for a warehouse that does not answer: the states are shown without figures. */
function unlessAway(error: unknown): null {
  if (error instanceof WarehouseError && error.code !== "query_invalid") return null;
  throw error;
}

const noAttempts: OutgoingWebhookStats = {
  attempts: 0,
  delivered: 0,
  failed: 0,
  unsent: 0,
  success_rate: null,
  p95_ms: null,
  last_attempt_at: null,
  last_failure: null,
};
const noRequests: IncomingWebhookStats = {
  requests: 0,
  accepted: 0,
  matched: 0,
  refused: 0,
  acceptance_rate: null,
  p95_ms: null,
  last_request_at: null,
  last_refusal: null,
};

const outgoingHolders = ["campaign", "target", "rtb_formula"] as const;
type HolderKind = (typeof outgoingHolders)[number];
const mostNamed = 10;

/** Returns what names a webhook, by the webhook's id. */
function attachmentsOf<K extends HolderKind>(
  config: OrgConfig,
  kinds: readonly K[],
  webhooksOf: (doc: Resource<K>) => readonly string[],
) {
  const byWebhook = new Map<string, { kind: K; id: string; name: string }[]>();
  for (const kind of kinds) {
    for (const doc of sortedByName(config, kind)) {
      for (const webhookId of new Set(webhooksOf(doc))) {
        const known = byWebhook.get(webhookId) ?? [];
        known.push({ kind, id: doc.id, name: nameOf(doc) });
        byWebhook.set(webhookId, known);
      }
    }
  }
  return (id: string) => {
    const all = byWebhook.get(id) ?? [];
    return { count: all.length, data: all.slice(0, mostNamed) };
  };
}

/** An address with [TAG_NAME]s is no URL that could be parsed. */
const withoutPassword = (url: string): string => url.replace(/^(\w+:\/\/[^/?#@]*:)[^/?#@]*@/, "$1***@");
