import { untilDone } from "../../../ingest/log/until-done.ts";
import { sql } from "../../../warehouse/statement.ts";
import { type Warehouse, WarehouseError } from "../../../warehouse/warehouse.ts";
import { type CallFigures, type CallFiguresDeps, openCallFigures } from "./call-figures.ts";

/** Ample for a server that is there; one that does not even refuse holds the start up for no longer. */
const answersWithinMs = 10_000;

export interface PatientFiguresDeps extends CallFiguresDeps {
  onWarehouse(): void;
}

/**
 * The figures of a process that begins to serve whether the warehouse is there or not: calls must not be turned away
 * for want of it. Until it answers they are those of the calls that the log still has, as where there is no warehouse at
 * all: caps of an hour, a day or a week count all, those of longer periods, duplicates and performance leave out what is
 * older than the log. It is asked again and again; once it has been read, its figures take the place of those, with the
 * calls that ring. Both are in memory for that moment.
 */
export async function openPatientFigures(deps: PatientFiguresDeps): Promise<CallFigures> {
  const { warehouse, onTrouble } = deps;
  if (warehouse === null) return openCallFigures(deps);
  try {
    return await openOf(warehouse, deps);
  } catch (error) {
    if (!isAway(error)) throw error;
    onTrouble(away(error));
    return openMeanwhile(warehouse, deps);
  }
}

async function openMeanwhile(warehouse: Warehouse, deps: PatientFiguresDeps): Promise<CallFigures> {
  const closing = new AbortController();
  let current = await openCallFigures({ ...deps, warehouse: null });
  const fromLog = current;
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });

  async function takeOver(): Promise<void> {
    const { clock } = deps;
    const retry = { clock, signal: closing.signal, onTrouble: unlessSame(deps.onTrouble, closing.signal) };
    const next = await untilDone(retry, () => openOf(warehouse, { ...deps, signal: closing.signal }));
    if (next === null) return;
    for (const [orgId, call] of fromLog.ringing()) next.take(orgId, call);
    current = next;
    next.finished.catch(fail);
    await fromLog.close();
    if (!closing.signal.aborted) deps.onWarehouse();
  }
  const takingOver = takeOver().catch(fail);
  // A process whose log is no more ends, whichever figures read it.
  const closed = fromLog.finished.then(() => takingOver).then(() => current.finished);
  const finished = Promise.race([failed, closed]);
  // It may reject before anybody waits on it; who does hears of it.
  finished.catch(() => undefined);

  return {
    ofOrganization: (orgId) => current.ofOrganization(orgId),
    earlierCalls: (orgId, caller) => current.earlierCalls(orgId, caller),
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
async function openOf(warehouse: Warehouse, deps: CallFiguresDeps): Promise<CallFigures> {
  const { signal } = deps;
  const query: Warehouse["query"] = (statement, options) =>
    warehouse.query(statement, signal === undefined ? options : { ...options, signal });
  await query(sql`SELECT 1 AS one`, { timeoutMs: answersWithinMs });
  return openCallFigures({ ...deps, warehouse: { ...warehouse, query } });
}

const isAway = (error: unknown): boolean =>
  error instanceof WarehouseError && (error.code === "unavailable" || error.code === "query_timeout");

const away = (cause: unknown) =>
  new Error(
    "The warehouse does not answer: caps, duplicates and performance count the calls that the log still has until it does.",
    { cause },
  );

/** Of failures that follow each other with the same words only the first is told, and none of being stopped. */
function unlessSame(onTrouble: (error: unknown) => void, closing: AbortSignal): (error: unknown) => void {
  let told = "";
  return (error) => {
    const words = error instanceof Error ? error.message : String(error);
    if (isAway(error) || words === told || closing.aborted) return;
    told = words;
    onTrouble(error);
  };
}
