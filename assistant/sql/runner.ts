import type { Clock } from "../../ingest/clock.ts";
import type { GuardedSelect } from "../../warehouse/guarded/guarded.ts";
import type { SqlAnswer } from "../answer.ts";
import { suggestFromTypes } from "../chart/from-types.ts";
import { lineageIn, withUnits } from "./lineage.ts";

const mostRows = 2000;

export interface OwnSql {
  readonly orgId: string;
  /** One SELECT in the dialect of the warehouse's engine. */
  readonly sql: string;
  readonly signal?: AbortSignal | undefined;
}

/** Runs SQL that an analyst wrote. Rejects with the guard's `WarehouseError`. */
export function createSqlRunner({ guarded, clock }: { readonly guarded: GuardedSelect; readonly clock: Clock }) {
  return async ({ orgId, sql, signal }: OwnSql): Promise<SqlAnswer> => {
    const started = clock.now();
    const limits = { maxRows: mostRows, ...(signal === undefined ? {} : { signal }) };
    const result = await guarded.select({ orgId, text: sql, ...limits });
    const { rows, truncated } = result;
    const lineage = lineageIn(sql);
    const columns = withUnits(lineage, result);
    return {
      sql,
      columns: [...columns],
      rows: [...rows],
      row_count: rows.length,
      truncated,
      chart_suggestion: suggestFromTypes({ rows, truncated, columns, zone: lineage.zone }),
      timing_ms: clock.now() - started,
    };
  };
}
export type SqlRunner = ReturnType<typeof createSqlRunner>;
