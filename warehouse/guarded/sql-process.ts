import type { DuckDBInstance } from "@duckdb/node-api";
import { type QueryResult, WarehouseError } from "../warehouse.ts";
import type { GuardedQuery } from "./guarded.ts";
import { openDuckdbGuard, openReadOnly, type RowsGiven } from "./run-duckdb.ts";

// A process that runs one text of an analyst's at a time, on a copy of the warehouse. Binding and some operators of the
// engine cannot be interrupted and hold memory that it does not count, so whoever started this process may kill it.

export type SqlRequest =
  | { readonly kind: "run"; readonly query: SqlText; readonly rows: RowsGiven }
  /** The text that runs is to end. */
  | { readonly kind: "stop" };
export type SqlText = Pick<GuardedQuery, "orgId" | "text" | "maxRows" | "maxBytes">;

export type SqlReply =
  | { readonly kind: "ready" }
  /** The copy is open: from here on it is the text's own time. */
  | { readonly kind: "opened" }
  /** The text was parsed and planned. */
  | { readonly kind: "planned" }
  | { readonly kind: "rows"; readonly result: QueryResult }
  | { readonly kind: "failed"; readonly code?: string; readonly message: string; readonly mentionsRowValues?: boolean }
  | { readonly kind: "too_much_memory" };
type Guard = Awaited<ReturnType<typeof openDuckdbGuard>>;

const lookEveryMs = 10;

const reply = (said: SqlReply, then?: () => void): void => void process.send?.(said, () => then?.());
let stop = new AbortController();

/** Ends the process when it holds more than it may: nothing that the engine does can keep it from that. */
function watchMemory(bytes: number): () => void {
  const before = process.memoryUsage.rss();
  const looking = setInterval(() => {
    if (process.memoryUsage.rss() - before <= bytes) return;
    clearInterval(looking);
    reply({ kind: "too_much_memory" }, () => process.exit(0));
  }, lookEveryMs);
  return () => clearInterval(looking);
}

async function run({ query, rows }: Extract<SqlRequest, { kind: "run" }>): Promise<SqlReply> {
  const endWatch = watchMemory(rows.limits.memoryBytes);
  let instance: DuckDBInstance | undefined;
  let guard: Guard | undefined;
  try {
    instance = await openReadOnly(rows);
    guard = await openDuckdbGuard(instance);
    reply({ kind: "opened" });
    const result = await guard.select(query, stop.signal, () => reply({ kind: "planned" }));
    return { kind: "rows", result };
  } catch (error) {
    return toFailure(error);
  } finally {
    guard?.close();
    instance?.closeSync();
    endWatch();
  }
}

function toFailure(error: unknown): SqlReply {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof WarehouseError)) return { kind: "failed", message };
  return { kind: "failed", code: error.code, message, mentionsRowValues: error.mentionsRowValues };
}

process.on("message", (asked: SqlRequest) => {
  if (asked.kind === "stop") return stop.abort();
  stop = new AbortController();
  void run(asked).then((said) => reply(said));
});
// The process ends with its parent, which alone handles a terminal's Ctrl-C.
process.once("disconnect", () => process.exit());
process.on("SIGINT", () => undefined);
reply({ kind: "ready" });
