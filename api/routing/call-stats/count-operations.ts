import { z } from "zod";
import { type Clock, isoTime } from "../../../ingest/clock.ts";
import { timestamp } from "../../../ingest/primitives.ts";
import { defaultTimezone } from "../../../ingest/time-zone.ts";
import { type AuditOutbox, recordChange } from "../../config/audit-outbox.ts";
import { type Document, entityOf } from "../../config/document.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import { definitionOf, type Resource } from "../../config/registry.ts";
import { actorOf } from "../../config/resource-operations.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import type { Caller } from "../../serve/caller.ts";
import { notFound } from "../../serve/errors.ts";
import { defineOperation, type Operation, type OperationRequest } from "../../serve/operation.ts";
import { pascalCase, toTag, withArticle } from "../../serve/operation-text.ts";
import { type CallStats, type HolderKind, measures } from "../call-stats.ts";
import type { LimitedHolder } from "../caps.ts";
import { concurrencyLimit, type Limited } from "../caps.ts";
import { holderKinds } from "./call-record.ts";
import { countCaps } from "./cap-report.ts";
import { resetTotals, type TotalResets } from "./total-resets.ts";

export interface CountOperationsDeps {
  readonly snapshot: Pick<Snapshot, "config">;
  readonly statsOf: (orgId: string) => CallStats;
  readonly resets: Pick<TotalResets, "settled">;
  readonly database: Database;
  readonly outbox: Pick<AuditOutbox, "drain">;
  readonly clock: Clock;
  onTrouble(error: unknown): void;
}

const capCount = z.object({
  type: z.enum(measures).describe("What is counted: calls, or dollars of revenue or payout."),
  period: z
    .enum(["hour", "day", "week", "month", "all", "total"])
    .describe("A period of the calendar; all: since ever; total: since it was reset."),
  limit: z.number().describe("Calls or dollars that it allows."),
  used: z.number().describe("Calls or dollars that were counted."),
  timezone: z.string().describe("The zone whose calendar the period is of."),
  since: timestamp.nullable().describe("When the period began; null: since ever."),
  resets_at: timestamp.nullable().describe("null: no time sets it back; a total is reset by request."),
  reached: z.boolean().describe("Whether calls are refused for it now."),
});

/** Fields that say how far limits have been used. */
export const countFields = {
  in_use: z.int().describe("Calls that take a place of `max_concurrency` now."),
  max_concurrency: z.number().nullable().describe("null: as many as come."),
  totals_since: timestamp.nullable().describe("null: the totals were never reset."),
  caps: z.array(capCount).describe("The rows of `advanced_caps` that limit calls by what was counted."),
} as const;
const answer = z.object({ id: z.string(), ...countFields });

/** The operations that read how far limits have been used, and reset totals. */
export const countOperations = (deps: CountOperationsDeps): Operation[] =>
  holderKinds.flatMap((kind) => operationsOf(kind, deps));

function operationsOf(kind: HolderKind, deps: CountOperationsDeps): Operation[] {
  const { path, param, title } = definitionOf(kind);
  const shared = {
    access: "api_key",
    limit: "api",
    status: 200,
    answer,
    errors: [404],
    params: z.object({ [param]: z.string().min(1).max(255) }),
    tag: toTag(title.many),
  } as const;
  const idOf = (params: Record<string, unknown>) => String(params[param]);
  return [
    defineOperation({
      ...shared,
      method: "get",
      path: `/api/v1/${path}/{${param}}/counts`,
      name: `get${pascalCase(title.one)}Counts`,
      summary: `Get how much of its limits ${withArticle(title.one)} has used`,
      handle: async ({ caller, params }) => toCounts(deps, mustFind(deps, caller, { kind, id: idOf(params) }), caller),
    }),
    defineOperation({
      ...shared,
      method: "post",
      path: `/api/v1/${path}/{${param}}/counts/reset`,
      name: `reset${pascalCase(title.one)}Counts`,
      summary: `Let the caps of ${withArticle(title.one)} that have no period count from now on`,
      async handle(request) {
        const found = mustFind(deps, request.caller, { kind, id: idOf(request.params) });
        await reset(deps, found, request);
        return toCounts(deps, found, request.caller);
      },
    }),
  ];
}

interface Found {
  readonly limited: LimitedHolder;
  readonly doc: Document;
}

function mustFind(
  { snapshot }: CountOperationsDeps,
  { orgId }: Caller,
  holder: { kind: HolderKind; id: string },
): Found {
  const config = snapshot.config(orgId);
  const doc = config?.get(holder.kind, holder.id);
  if (config === undefined || doc === undefined)
    throw notFound(`The ${definitionOf(holder.kind).title.one} ${holder.id}`);
  return { limited: toLimitedHolder(config, holder.kind, doc), doc: doc as unknown as Document };
}

/** A holder's document with its limits. */
export function toLimitedHolder(config: OrgConfig, kind: HolderKind, doc: Resource<HolderKind>): LimitedHolder {
  const isDestination = kind === "target" || kind === "rtb_formula";
  // A destination without a zone is counted in its campaign's. It may have several campaigns, so here it is the default zone.
  const fallback = isDestination ? defaultTimezone : config.organization.timezone;
  const limits: Limited = doc;
  return { holder: { kind, id: doc.id }, limits, timezone: doc.timezone ?? fallback };
}

const toCounts = (
  { statsOf, clock }: CountOperationsDeps,
  { limited }: Found,
  { orgId }: Caller,
): z.input<typeof answer> => ({ id: limited.holder.id, ...countsOf(limited, statsOf(orgId), clock.now()) });

/** Returns how much of each limit of a holder is used. */
export const countsOf = (limited: LimitedHolder, stats: CallStats, now: number) => ({
  in_use: stats.inUse(limited.holder),
  max_concurrency: concurrencyLimit(limited.limits),
  totals_since: isoOrNull(stats.totalsSince(limited.holder) || null),
  caps: countCaps(limited, stats, now).map(({ measure, since, resetsAt, ...cap }) => ({
    type: measure,
    ...cap,
    since: isoOrNull(since),
    resets_at: isoOrNull(resetsAt),
  })),
});

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

/** Stores the reset and its audit record in one transaction; a second one at the same instant changes nothing. */
async function reset(
  { database, outbox, resets, clock, onTrouble }: CountOperationsDeps,
  { limited: { holder }, doc }: Found,
  request: OperationRequest<unknown, unknown, unknown>,
): Promise<void> {
  const now = clock.now();
  const { orgId } = request.caller;
  const changed = await database.transaction(async (db) => {
    const moved = await resetTotals(db, { orgId, holder, now });
    if (moved === null) return false;
    const changes = [{ field: "totals_since", old: moved.before, new: isoTime(now) }];
    const entity = entityOf(definitionOf(holder.kind), doc);
    await recordChange(db, actorOf(request), { action: "adjust", entity, changes, now });
    return true;
  });
  if (!changed) return;
  await resets.settled();
  outbox.drain().catch(onTrouble);
}
