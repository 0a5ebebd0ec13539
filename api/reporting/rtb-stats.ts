import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { timestamp } from "../../ingest/primitives.ts";
import type { InboundGroup } from "../../warehouse/rtb/inbound-rtb-stats.ts";
import type { OutboundGroup } from "../../warehouse/rtb/outbound-rtb-stats.ts";
import type { Stats, StatsAsked, StatsStore } from "../../warehouse/rtb/stats.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { Dialects } from "../app-context.ts";
import type { OrgConfig } from "../config/org-config.ts";
import { timezone } from "../config/resources/shapes.ts";
import type { Snapshot } from "../config/snapshot.ts";
import type { Caller } from "../serve/caller.ts";
import { timeQuery, toTimeRange } from "../serve/time-range.ts";

export interface RtbReportDeps {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly dialects: Pick<Dialects, "rtb">;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly clock: Clock;
}

export const rate = z.number().nullable().meta({ description: "From 0 to 1; null where there is nothing to share." });
export const milliseconds = z.number().nullable();
export const dollars = z.number().nullable();
export const count = z.int();

export const statsQuery = { ...timeQuery, timezone: timezone.default("UTC") };

/** The answer of a statistics operation: its groups, and the query that they answer. */
export const statsAnswer = (row: z.ZodObject) =>
  z.object({
    data: z.array(row),
    meta: z.object({
      group_by: z.string(),
      timezone: z.string(),
      start_date: timestamp,
      end_date: timestamp,
      count,
      truncated: z.boolean(),
    }),
  });

interface StatsQuery<G> {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly timezone: string;
  readonly group_by: G;
}
interface Named {
  readonly key: string | null;
  readonly name: string | null;
}

/** Reads statistics for a caller and gives each group its present name. */
export async function answerStats<G extends InboundGroup | OutboundGroup, R extends Named>(
  { warehouse, dialects, snapshot, clock }: RtbReportDeps,
  { caller, query }: { readonly caller: Caller; readonly query: StatsQuery<G> },
  read: (store: StatsStore, asked: StatsAsked<G>) => Promise<Stats<R>>,
) {
  const { group_by, timezone: zone } = query;
  const period = toTimeRange(query, clock.now());
  const asked = { orgId: caller.orgId, period, groupBy: group_by, timezone: zone };
  const { rows, truncated } = await read({ warehouse, dialect: dialects.rtb }, asked);
  const config = snapshot.config(caller.orgId);
  return {
    data: rows.map((row) => ({ ...row, name: nameOfGroup(config, group_by, row) })),
    meta: {
      group_by,
      timezone: zone,
      start_date: period.from.toISOString(),
      end_date: period.to.toISOString(),
      count: rows.length,
      truncated,
    },
  };
}

type Group = InboundGroup | OutboundGroup;

/** Returns the present name of a group; of one that config no longer has, its recorded name, or null. */
export function nameOfGroup(
  config: OrgConfig | undefined,
  group: Group,
  row: { key: string | null; name: string | null },
) {
  const { key, name } = row;
  if (key === null) return null;
  return (config && currentName(config, group, key)) ?? name ?? (isOwnName(group) ? key : null);
}

/** Groups whose key is its own name. */
const isOwnName = (group: Group): boolean => ["inbound_rtb", "reason", "hour", "day"].includes(group);

function currentName(config: OrgConfig, group: Group, key: string): string | undefined {
  switch (group) {
    case "rtb":
      return config.get("rtb_formula", key)?.rtb_name;
    case "rtb_group":
    case "buyer":
    case "campaign":
    case "publisher":
    case "target":
      return config.get(group, key)?.name;
    default:
      return undefined;
  }
}
