import { z } from "zod";
import { type Clock, isoTime } from "../../../ingest/clock.ts";
import { timestamp } from "../../../ingest/primitives.ts";
import { defaultTimezone } from "../../../ingest/time-zone.ts";
import { type AuditOutbox, recordChange } from "../../config/audit-outbox.ts";
import { type Document, entityOf } from "../../config/document.ts";
import { definitionOf } from "../../config/registry.ts";
import { actorOf } from "../../config/resource-operations.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import type { Caller } from "../../serve/caller.ts";
import { notFound } from "../../serve/errors.ts";
import { defineOperation, type Operation, type OperationRequest } from "../../serve/operation.ts";
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
  period: z.enum(["hour", "day", "week", "month", "all", "total"]),
  limit: z.number(),
  used: z.number(),
  timezone: z.string().describe("The zone whose calendar the period is of."),
  since: timestamp.nullable(),
  resets_at: timestamp.nullable().describe("null: no time sets it back; a total is reset by request."),
  reached: z.boolean().describe("Whether calls are refused for it now."),
});

const answer = z.object({
  id: z.string(),
  in_use: z.int().describe("Calls that take a place of `max_concurrency` now."),
  max_concurrency: z.number().nullable().describe("null: as many as come."),
  totals_since: timestamp.nullable().describe("null: the totals were never reset."),
  caps: z.array(capCount).describe("The rows of `advanced_caps` that limit calls by what was counted."),
});

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
    tag: title.many.charAt(0).toUpperCase() + title.many.slice(1),
  } as const;
  const idOf = (params: Record<string, unknown>) => String(params[param]);
  return [
    defineOperation({
      ...shared,
      method: "get",
      path: `/api/v1/${path}/{${param}}/counts`,
      summary: `Get how much of its limits a ${title.one} has used`,
      handle: async ({ caller, params }) => toCounts(deps, mustFind(deps, caller, { kind, id: idOf(params) }), caller),
    }),
    defineOperation({
      ...shared,
      method: "post",
      path: `/api/v1/${path}/{${param}}/counts/reset`,
      summary: `Let the caps of a ${title.one} that have no period count from now on`,
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
  const isDestination = holder.kind === "target" || holder.kind === "rtb_formula";
  // Of a formula without a zone it is the campaign's, of which there may be several; here, the one without any.
  const fallback = isDestination ? defaultTimezone : config.organization.timezone;
  const limits: Limited = doc;
  return { limited: { holder, limits, timezone: doc.timezone ?? fallback }, doc: doc as unknown as Document };
}

function toCounts(
  { statsOf, clock }: CountOperationsDeps,
  { limited }: Found,
  { orgId }: Caller,
): z.input<typeof answer> {
  const stats = statsOf(orgId);
  return {
    id: limited.holder.id,
    in_use: stats.inUse(limited.holder),
    max_concurrency: concurrencyLimit(limited.limits),
    totals_since: isoOrNull(stats.totalsSince(limited.holder) || null),
    caps: countCaps(limited, stats, clock.now()).map(({ measure, since, resetsAt, ...cap }) => ({
      type: measure,
      ...cap,
      since: isoOrNull(since),
      resets_at: isoOrNull(resetsAt),
    })),
  };
}

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

/** With its audit record in one transaction; once more at the same instant changes nothing. */
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
