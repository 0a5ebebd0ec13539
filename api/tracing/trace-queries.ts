import type { Planner } from "../../assistant/planning.ts";
import { inSpan, type SpanOptions, type Tracing } from "../../ingest/tracing.ts";
import type { GuardedWarehouse } from "../../warehouse/guarded/guarded.ts";
import type { QueryResult } from "../../warehouse/warehouse.ts";

/** Wraps the warehouse so that queries have spans within those of who asks; background work has none. Texts of SQL stay out. */
export function traceQueries<W extends GuardedWarehouse>(warehouse: W, tracing: Tracing | null): W {
  if (tracing === null) return warehouse;
  const system = warehouse.guarded.engine.toLowerCase();
  const traced = async (who: string, query: () => Promise<QueryResult>): Promise<QueryResult> => {
    if (tracing.active() === null) return query();
    const attributes = { "db.system.name": system, "db.operation.name": "SELECT", "trunkline.sql.author": who };
    return inSpan(tracing, { name: "SELECT", kind: "client", attributes }, async (span) => {
      const result = await query();
      span?.set({ "db.response.returned_rows": result.rows.length });
      return result;
    });
  };
  const { guarded } = warehouse;
  return {
    ...warehouse,
    query: (statement, options) => traced("platform", () => warehouse.query(statement, options)),
    guarded: { ...guarded, select: (query) => traced("analyst", () => guarded.select(query)) },
  };
}

const planning: { readonly name: string } & SpanOptions = { name: "plan question", kind: "internal" };

/** Wraps a planner so that understanding a question has a span. */
export const tracePlanner = (planner: Planner, tracing: Tracing | null): Planner =>
  tracing === null
    ? planner
    : {
        plan: (asked) =>
          inSpan(tracing, planning, async (span) => {
            const planned = await planner.plan(asked);
            span?.set({ "trunkline.planner": planned.planner, "trunkline.outcome": planned.outcome.kind });
            return planned;
          }),
      };
