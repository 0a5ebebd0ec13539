import { costOf, type ModelReport, type Prices } from "../../../assistant/planning.ts";
import { type Clock, isoTime } from "../../../ingest/clock.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Database, DatabaseRow, Queryable } from "../../database/database.ts";

/** Requests to the language model and their tokens; the cost in US dollars, null where no price was set. */
export interface ModelUsage {
  readonly questions: number;
  readonly requests: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number | null;
}

const sums = ["questions", "requests", "input_tokens", "output_tokens"] as const;
const summed = [...sums, "cost_usd"].map((name) => `sum(${name}) AS ${name}`).join(", ");

const toUsage = (row: DatabaseRow): ModelUsage => ({
  questions: Number(row["questions"] ?? 0),
  requests: Number(row["requests"] ?? 0),
  input_tokens: Number(row["input_tokens"] ?? 0),
  output_tokens: Number(row["output_tokens"] ?? 0),
  cost_usd: row["cost_usd"] == null ? null : Number(row["cost_usd"]),
});

/** Days in UTC, `from` included and `until` not. */
interface Days {
  readonly from: string;
  readonly until: string;
}

/** An organization's usage by day and model, the earliest first. */
export async function listUsage(db: Queryable, orgId: OrgId, { from, until }: Days) {
  const rows = await db.query(
    `SELECT day, model, ${[...sums, "cost_usd"].join(", ")} FROM assistant_usage
     WHERE org_id = $1 AND day >= $2 AND day < $3 ORDER BY day, model`,
    [orgId, from, until],
  );
  return rows.map((row) => ({ day: String(row["day"]), model: String(row["model"]), ...toUsage(row) }));
}

export async function totalUsage(db: Queryable, orgId: OrgId, { from, until }: Days): Promise<ModelUsage> {
  const [row = {}] = await db.query(
    `SELECT ${summed} FROM assistant_usage WHERE org_id = $1 AND day >= $2 AND day < $3`,
    [orgId, from, until],
  );
  return toUsage(row);
}

/** The organizations that used most tokens from a day on, and what all others used together. */
export async function listGreatest(db: Queryable, { from, most }: { readonly from: string; readonly most: number }) {
  const rows = await db.query(
    `SELECT org_id, ${summed} FROM assistant_usage WHERE day >= $1
     GROUP BY org_id ORDER BY sum(input_tokens) + sum(output_tokens) DESC, org_id LIMIT $2`,
    [from, most],
  );
  const [all = {}] = await db.query(`SELECT ${summed} FROM assistant_usage WHERE day >= $1`, [from]);
  const greatest = rows.map((row) => ({ orgId: String(row["org_id"]), ...toUsage(row) }));
  return { greatest, all: toUsage(all) };
}

/** The first day of the month in UTC, by which servers of models are paid. */
export const monthOf = (now: number): string => `${isoTime(now).slice(0, 7)}-01`;

interface RecorderDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly model: string;
  readonly prices: Prices | null;
  /** Called with an error of storing usage; questions are answered all the same. */
  onTrouble(error: unknown): void;
}

/** Adds up what organizations' questions take; closing waits for what is being stored. */
export function createUsageRecorder({ database, clock, model, prices, onTrouble }: RecorderDeps) {
  const storing = new Set<Promise<unknown>>();

  const add = ({ orgId, usage, purpose }: ModelReport) =>
    database.query(
      `INSERT INTO assistant_usage (org_id, day, model, questions, requests, input_tokens, output_tokens, cost_usd)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (org_id, day, model) DO UPDATE SET
       ${sums.map((name) => `${name} = assistant_usage.${name} + excluded.${name}`).join(", ")},
       cost_usd = COALESCE(assistant_usage.cost_usd + excluded.cost_usd, assistant_usage.cost_usd, excluded.cost_usd)`,
      [
        ...[orgId, isoTime(clock.now()).slice(0, 10), model, purpose === "question" ? 1 : 0],
        ...[usage.requests, usage.input_tokens, usage.output_tokens, prices === null ? null : costOf(usage, prices)],
      ],
    );

  return {
    record(report: ModelReport): void {
      if (report.usage.requests === 0) return;
      const stored = add(report)
        .catch(onTrouble)
        .finally(() => storing.delete(stored));
      storing.add(stored);
    },
    close: async (): Promise<void> => void (await Promise.all(storing)),
  };
}
