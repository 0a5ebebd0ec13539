import { subtract } from "../../ingest/money.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { count, dollars, label } from "../cells.ts";
import { during } from "../history/list.ts";
import { share } from "../rtb/stats.ts";
import { join, raw, type Statement, sql, text } from "../statement.ts";
import type { Row } from "../warehouse.ts";
import { type CallFilter, callConditions } from "./call-filter.ts";
import type { ReportStore } from "./call-log.ts";
import { type CalendarUnit, calendarUnits, type ReportDialect } from "./report-dialect.ts";

/** The columns that calls are grouped by, and those that name the group; tags are groups, too. */
const columnGroups = {
  campaign: { key: "campaign_id", name: "campaign_name" },
  publisher: { key: "publisher_id", name: "publisher_name" },
  buyer: { key: "buyer_id", name: "buyer_name" },
  target: { key: "target_id", name: "target_name" },
  rtb: { key: "rtb_id", name: null },
  number: { key: "number", name: null },
  state: { key: "caller_state", name: null },
} as const;
export type ColumnGroup = keyof typeof columnGroups;
export const summaryGroups = [...(Object.keys(columnGroups) as ColumnGroup[]), ...calendarUnits] as const;

export type SummaryGroup =
  | { readonly kind: "column"; readonly by: ColumnGroup }
  | { readonly kind: "calendar"; readonly by: CalendarUnit }
  | { readonly kind: "tag"; readonly key: string };

export interface SummaryAsked {
  readonly orgId: OrgId;
  readonly filter: CallFilter;
  /** One to three groups. */
  readonly groups: readonly SummaryGroup[];
  /** IANA name; of hours, days, weeks and months. */
  readonly timezone: string;
}

export interface Summary {
  /** Each with the key and the name of its groups, in their order; null is "none", or not known. */
  readonly rows: readonly (SummaryFigures & { readonly keys: readonly SummaryKey[] })[];
  /** Totals of all calls, including groups that were left out. */
  readonly totals: SummaryFigures;
  /** True if there were more groups than are read. */
  readonly truncated: boolean;
}
export interface SummaryKey {
  readonly key: string | null;
  readonly name: string | null;
}

/** More hours than the longest period has. */
const mostGroups = 10_000;

/**
 * Calls in groups, and all of them together: both of one statement, so of the same calls at the same
 * moment, and rows add up to the totals wherever adding makes sense.
 */
export async function summarizeCalls({ warehouse, dialect }: ReportStore, asked: SummaryAsked): Promise<Summary> {
  const statement = toStatement(dialect, asked);
  const { rows, truncated } = await warehouse.query(statement, { maxRows: mostGroups + 1 });
  const keysOf = (row: Row) =>
    asked.groups.map((_, index) => ({ key: label(row[`key_${index}`]), name: label(row[`name_${index}`]) }));
  // Without calls, one engine returns no total row and another an empty one.
  const total = rows.find(({ is_total }) => is_total === true) ?? {};
  const groups = rows.filter(({ is_total }) => is_total !== true);
  return {
    rows: groups.map((row) => ({ keys: keysOf(row), ...toFigures(row) })),
    totals: toFigures(total),
    truncated,
  };
}

function toStatement(dialect: ReportDialect, asked: SummaryAsked): Statement {
  const { orgId, filter, groups } = asked;
  const keys = groups.map((_, index) => raw(`key_${index}`));
  const named = groups.flatMap((group, index) => {
    const { key, name } = columnsOf(dialect, group, asked.timezone);
    return [sql`${key} AS ${raw(`key_${index}`)}`, sql`${name} AS ${raw(`name_${index}`)}`];
  });
  const where = [sql`org_id = ${text(orgId)}`, during({ table: "calls" }, filter.span)];
  const isTotal = dialect.isTotal(raw("key_0"));
  const shown = groups.map((_, index) => raw(`key_${index}, max(name_${index}) AS name_${index}`));
  return sql`
    WITH named AS (
      SELECT ${join(named, ", ")}, caller_id, status, connected_at, converted, payable, receivable, is_duplicate,
             revenue, payout, duration, connect_duration
      FROM calls WHERE ${join([...where, ...callConditions(dialect, filter)], " AND ")})
    SELECT ${isTotal} AS is_total, ${join(shown, ", ")}, ${figures}
    FROM named GROUP BY GROUPING SETS ((${join(keys, ", ")}), ())
    ORDER BY is_total DESC, ${orderOf(groups)}`;
}

function columnsOf(
  dialect: ReportDialect,
  group: SummaryGroup,
  zone: string,
): { readonly key: Statement; readonly name: Statement } {
  const unnamed = raw("CAST(NULL AS VARCHAR)");
  if (group.kind === "calendar") {
    return { key: dialect.calendar(raw("started_at"), group.by, zone), name: unnamed };
  }
  if (group.kind === "tag") return { key: dialect.tag(raw("tags"), group.key), name: unnamed };
  const { key, name } = columnGroups[group.by];
  return { key: raw(key), name: name === null ? unnamed : raw(name) };
}

/** Times go up, the first group first; all else begins with the largest. */
function orderOf(groups: readonly SummaryGroup[]): Statement {
  const times = groups.flatMap(({ kind }, index) => (kind === "calendar" ? [raw(`key_${index}`)] : []));
  const others = groups.flatMap(({ kind }, index) => (kind === "calendar" ? [] : [raw(`key_${index}`)]));
  return join([...times, raw("incoming DESC"), ...others], ", ");
}

/** The same counts as in the assistant's catalog. */
const counted = {
  connected: "connected_at IS NOT NULL",
  completed: "status = 'completed'",
  failed: "status = 'failed'",
  converted: "converted",
  payable: "payable",
  receivable: "receivable",
  duplicates: "is_duplicate",
  ended: "duration IS NOT NULL",
  talked: "connected_at IS NOT NULL AND connect_duration IS NOT NULL",
} as const;

const figures: Statement = join(
  [
    raw("count(*) AS incoming"),
    ...Object.entries(counted).map(([name, holds]) => raw(`sum(CASE WHEN ${holds} THEN 1 ELSE 0 END) AS ${name}`)),
    raw("count(DISTINCT caller_id) AS unique_callers, sum(revenue) AS revenue, sum(payout) AS payout"),
    raw("sum(duration) AS total_duration"),
    raw("sum(CASE WHEN connected_at IS NOT NULL THEN connect_duration END) AS talk_time"),
  ],
  ", ",
);

export type SummaryFigures = ReturnType<typeof toFigures>;

/** Shares are from 0 to 1, lengths whole or mean seconds; null where there is nothing to share or to average. */
function toFigures(row: Row) {
  const [incoming, connected] = [count(row, "incoming"), count(row, "connected")];
  const [revenue, payout] = [count(row, "revenue"), count(row, "payout")];
  const [converted, total_duration] = [count(row, "converted"), count(row, "total_duration")];
  const profit = subtract(revenue, payout);
  return {
    incoming,
    connected,
    completed: count(row, "completed"),
    failed: count(row, "failed"),
    converted,
    payable: count(row, "payable"),
    receivable: count(row, "receivable"),
    duplicates: count(row, "duplicates"),
    unique_callers: count(row, "unique_callers"),
    revenue,
    payout,
    profit,
    margin: share(profit, revenue),
    avg_duration: mean(total_duration, count(row, "ended")),
    total_duration,
    acl: mean(count(row, "talk_time"), count(row, "talked")),
    conversion_rate: share(converted, incoming),
    connect_rate: share(connected, incoming),
    epc: dollars(share(revenue, connected)),
    rpc: dollars(share(revenue, incoming)),
  };
}

/** Returns the mean, rounded to the millisecond. */
const mean = (sum: number, of: number): number | null => (of === 0 ? null : Math.round((sum / of) * 1000) / 1000);
