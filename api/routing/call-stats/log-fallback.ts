import { untilDone } from "../../../ingest/log/until-done.ts";
import { sql } from "../../../warehouse/statement.ts";
import { type Warehouse, WarehouseError, type WarehouseErrorCode } from "../../../warehouse/warehouse.ts";
import { type CallStore, type CallStoreDeps, openCallStore } from "./call-store.ts";

/** Ample for a server that is there; one that does not even refuse holds the start up for no longer. */
const answersWithinMs = 10_000;

export interface FallbackDeps extends CallStoreDeps {
  /** Called when the warehouse has taken the place of the fallback. */
  onWarehouse(): void;
}

/**
 * Opens the call store from the warehouse and, while it does not answer, from the log alone: calls must not be turned away for
 * want of it. The fallback counts the calls that the log still has, as where there is no warehouse at all: caps of an
 * hour, a day or a week count all, those of longer periods, duplicates and performance leave out what is older than the
 * log. The warehouse is asked again and again; once it has been read, its store replaces the fallback and takes over
 * the calls that ring. Both are in memory for that moment.
 */
export async function openCallStoreWithFallback(deps: FallbackDeps): Promise<CallStore> {
  const { warehouse, onTrouble } = deps;
  if (warehouse === null) return openCallStore(deps);
  try {
    return await openOf(warehouse, deps);
  } catch (error) {
    if (!isPassing(error)) throw error;
    onTrouble(toTrouble(error));
    return openFallback(warehouse, deps, error);
  }
}

async function openFallback(warehouse: Warehouse, deps: FallbackDeps, first: unknown): Promise<CallStore> {
  const closing = new AbortController();
  let current = await openCallStore({ ...deps, warehouse: null });
  const fromLog = current;
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });

  async function takeOver(): Promise<void> {
    const { clock } = deps;
    const onTrouble = unlessSame({ told: first, closing: closing.signal, onTrouble: deps.onTrouble });
    const retry = { clock, signal: closing.signal, onTrouble };
    const next = await untilDone(retry, () => openOf(warehouse, { ...deps, signal: closing.signal }));
    if (next === null) return;
    for (const [orgId, call] of fromLog.ringing()) next.take(orgId, call);
    current = next;
    next.finished.catch(fail);
    await fromLog.close();
    if (!closing.signal.aborted) deps.onWarehouse();
  }
  const takingOver = takeOver().catch(fail);
  // A process whose log is no more ends, whichever call store reads it.
  const closed = fromLog.finished.then(() => takingOver).then(() => current.finished);
  const finished = Promise.race([failed, closed]);
  // It may reject before anybody awaits it; a later await still gets the error.
  finished.catch(() => undefined);

  return {
    ofOrganization: (orgId) => current.ofOrganization(orgId),
    earlierCalls: (orgId, caller) => current.earlierCalls(orgId, caller),
    callsKnownSince: (orgId) => current.callsKnownSince(orgId),
    note: (call) => current.note(call),
    ringing: () => current.ringing(),
    take: (orgId, call) => current.take(orgId, call),
    finished,
    async close(): Promise<void> {
      closing.abort();
      await takingOver;
      await current.close();
    },
  };
}

/** First a question that is answered at once or not at all; what is asked ends when the process does. */
async function openOf(warehouse: Warehouse, deps: CallStoreDeps): Promise<CallStore> {
  const { signal } = deps;
  const query: Warehouse["query"] = (statement, options) =>
    warehouse.query(statement, signal === undefined ? options : { ...options, signal });
  await query(sql`SELECT 1 AS one`, { timeoutMs: answersWithinMs }).catch(refuseSilence);
  return openCallStore({ ...deps, warehouse: { ...warehouse, query } });
}

/**
 * Throws `unavailable` for a time-out of the first question: a warehouse that leaves it without an answer is away, one
 * that answers it and then takes long over the calls is only slow.
 */
function refuseSilence(error: unknown): never {
  if (codeOf(error) !== "query_timeout") throw error;
  throw new WarehouseError("unavailable", `The warehouse did not answer in ${answersWithinMs} ms.`, { cause: error });
}

const codeOf = (error: unknown): WarehouseErrorCode | null => (error instanceof WarehouseError ? error.code : null);

const isPassing = (error: unknown): boolean => ["unavailable", "query_timeout"].includes(codeOf(error) ?? "");

const fallbackCounts = "caps, duplicates and performance count the calls that the log still has until it";

/** In words for who runs the process. */
function toTrouble(cause: unknown): unknown {
  const code = codeOf(cause);
  if (code === "unavailable") return new Error(`The warehouse does not answer: ${fallbackCounts} does.`, { cause });
  if (code !== "query_timeout") return cause;
  return new Error(`The warehouse answers too slowly to be read: ${fallbackCounts} is quicker.`, { cause });
}

interface Telling {
  /** The error that was reported before. */
  readonly told: unknown;
  readonly closing: AbortSignal;
  onTrouble(error: unknown): void;
}

/** Reports only the first of failures that follow each other with the same words, and none of being stopped. */
function unlessSame({ told: first, closing, onTrouble }: Telling): (error: unknown) => void {
  let told = wordsOf(toTrouble(first));
  return (error) => {
    const trouble = toTrouble(error);
    const words = wordsOf(trouble);
    if (words === told || closing.aborted) return;
    told = words;
    onTrouble(trouble);
  };
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
