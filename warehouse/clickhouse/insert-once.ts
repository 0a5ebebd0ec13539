import { slotMs } from "../history/slot-range.ts";
import { storedIn, type TableOfTopic } from "../tables.ts";
import type { LogRange } from "../warehouse.ts";
import type { Batch } from "./batch.ts";
import { isOfKind } from "./check.ts";

export interface Source {
  /** The table that the range was read into. */
  readonly parsed: string;
  readonly range: Pick<LogRange, "topic" | "partition" | "firstOffset" | "nextOffset">;
}

/** A table of the positions that bring a new row. */
export const findNewRows = (batch: Batch, table: TableOfTopic, { parsed, range }: Source): Promise<string> => {
  const key = `(org_id, ${table.time}, ${table.key})`;
  const rows = `FROM ${parsed} WHERE ${isOfKind(table)}`;
  return batch.createTable(
    table.table,
    `ENGINE = Memory AS SELECT position, org_id, ${table.time} AS at ${rows} AND ${key} NOT IN (
       SELECT ${key} FROM ${storedIn(table.table)} WHERE ${key} IN (SELECT ${key} ${rows})${fromBefore(table, range)})
     ORDER BY position LIMIT 1 BY org_id, ${table.time}, ${table.key}`,
  );
};

/**
 * A row of the range itself is new still: it was stored by an attempt whose end was lost. Of a row that changes only its
 * latest version knows where it came from; that it was counted, its count knows.
 */
const fromBefore = ({ keep }: TableOfTopic, { partition, firstOffset }: Source["range"]): string =>
  keep === "latest" ? "" : ` AND (log_partition <> ${partition} OR log_offset < ${firstOffset})`;

/**
 * Adds the new rows of a counted table to the counts of their days and minutes. A count has the offset up to which it
 * counts, so that rows are counted once, by whatever process and however ranges were cut. Rows are stored after they
 * are counted, so a stored row is counted. Missing values are 0, also if the user's settings make them NULL.
 */
export async function countNewRows(
  batch: Batch,
  { table }: TableOfTopic,
  { fresh, range }: Source & { fresh: string },
) {
  const { partition, firstOffset, nextOffset } = range;
  const units = Object.entries(slotMs).map(([unit, ms]) => `('${unit}', ${ms})`);
  const slots = `
    SELECT unit.1 AS unit, org_id, toInt64(floor(toUnixTimestamp64Milli(assumeNotNull(at)) / unit.2)) AS slot, position
    FROM ${fresh} ARRAY JOIN [${units.join(", ")}] AS unit`;
  await batch.command(`
    INSERT INTO loader_counts
    SELECT '${table}', slots.unit, slots.org_id, slots.slot, ${partition},
           ifNull(any(known.requests), 0)
             + countIf(${firstOffset} + slots.position >= ifNull(known.counted_to, 0)), ${nextOffset}
    FROM (${slots}) AS slots
    LEFT JOIN (
      SELECT unit, org_id, slot, argMax(requests, counted_to) AS requests, max(counted_to) AS counted_to
      FROM loader_counts
      WHERE counted = '${table}' AND log_partition = ${partition}
        AND (unit, org_id, slot) IN (SELECT unit, org_id, slot FROM (${slots}))
      GROUP BY unit, org_id, slot) AS known
    ON known.unit = slots.unit AND known.org_id = slots.org_id AND known.slot = slots.slot
    GROUP BY slots.unit, slots.org_id, slots.slot
    HAVING ifNull(max(known.counted_to), 0) < ${nextOffset}`);
}
