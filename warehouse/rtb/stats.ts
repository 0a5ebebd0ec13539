import type { OrgId } from "../../ingest/primitives.ts";
import { join, raw, type Statement, sql } from "../statement.ts";
import type { Row, Warehouse } from "../warehouse.ts";
import type { RtbDialect, TimeGroup } from "./dialect.ts";
import type { Period } from "./requests.ts";

export interface StatsAsked<G> {
  readonly orgId: OrgId;
  readonly period: Period;
  readonly groupBy: G;
  /** IANA name; of hours and days. */
  readonly timezone: string;
}

export interface Stats<R> {
  readonly rows: readonly R[];
  /** True if there were more groups than are read. */
  readonly truncated: boolean;
}

/** The warehouse that statistics read, and its dialect. */
export interface StatsStore {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly dialect: RtbDialect;
}

/** More hours than the longest period has. */
const mostGroups = 10_000;

export const isTimeGroup = (group: string): group is TimeGroup => group === "hour" || group === "day";

/** Times go up; all else begins with the largest group. */
export const ordering = (group: string, size: string): Statement =>
  isTimeGroup(group) ? sql`ORDER BY key` : sql`ORDER BY ${raw(size)} DESC, key`;

export const percentiles = ({ quantile }: RtbDialect, column: Statement, where: Statement): Statement =>
  join(
    [50, 95, 99].map((percent) => sql`${quantile(column, percent / 100, where)} AS p${raw(String(percent))}_ms`),
    ", ",
  );

export async function readGroups(warehouse: StatsStore["warehouse"], statement: Statement): Promise<Stats<Row>> {
  const { rows, truncated } = await warehouse.query(statement, { maxRows: mostGroups });
  return { rows, truncated };
}

/** A share from 0 to 1; null of nothing, which is no share of 0. */
export const share = (part: number, of: number): number | null => (of === 0 ? null : part / of);
