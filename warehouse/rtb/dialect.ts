import type { Statement } from "../statement.ts";

/** Hours and days of a clock on the wall. */
export type TimeGroup = "hour" | "day";

/** The SQL of RTB statistics that differs between the engines. */
export interface RtbDialect {
  /** A UTC time as the text of its hour or day in a zone: `2026-11-02T15:00`, `2026-11-02`. */
  bucket(column: Statement, group: TimeGroup, zone: string): Statement;
  /** The quantile over the rows that `where` selects, interpolated between the two nearest ones. */
  quantile(column: Statement, level: number, where: Statement): Statement;
  /**
   * A row for each eligible route of the pings that `where` holds for: the ping's `request_id`, `created_at`, `outcome`,
   * `allocated_count` and `processing_ms`, the route's `destination_type`, `destination_id`, `buyer_id` and `payout`, and
   * its rank from 1 as `place`.
   */
  offeredRoutes(where: Statement): Statement;
}
