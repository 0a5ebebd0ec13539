import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Client } from "../client.ts";
import { nowMs } from "../clock.ts";
import { type Problem, RequestError, toProblem } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { usePolling } from "../use-polling.ts";
import { type Call, callsSchema } from "./call.ts";
import { type CallSearch, conditionsOf, parametersOf } from "./call-search.ts";

export type CallPage = {
  readonly rows: readonly Call[];
  readonly total: number;
  /** Calls before the first of the rows. */
  readonly offset: number;
  readonly next: string | null;
  readonly previous: string | null;
};

/** The state of a page of the call log; while another one is read, the last one stays. */
export type Reading = {
  readonly page: CallPage | null;
  readonly problem: Problem | null;
  readonly busy: boolean;
};

export const rowsPerPage = 50;

const toSearchProblem = (error: unknown): Problem =>
  error instanceof RequestError && error.status === 422
    ? { title: "This search cannot be made.", advice: `${error.message} Change the filters.`, remedy: "retry" }
    : toProblem(error);

const readCalls = async (client: Client, parameters: Record<string, string>): Promise<CallPage> => {
  const { data, meta } = await client.get(`/v1/calls?${new URLSearchParams(parameters)}`, callsSchema);
  const { total, offset, next_cursor: next = null, previous_cursor: previous = null } = meta;
  return { rows: data, total, offset, next, previous };
};

/** One page of the call log, at the place that the search names; null reads nothing and keeps what was read. */
export const useCallPage = (search: CallSearch | null) => {
  const { client, zone } = useSession();
  const [reading, setReading] = useState<Reading>({ page: null, problem: null, busy: true });
  const asked = search === null ? null : JSON.stringify(search);
  const latest = useRef<string | null>(null);
  const done = useRef<string | null>(null);

  const load = useCallback((): void => {
    if (asked === null) return;
    latest.current = asked;
    const wanted: CallSearch = JSON.parse(asked);
    setReading((now) => ({ ...now, busy: true, problem: null }));
    const parameters = {
      ...parametersOf(wanted, { nowMs: nowMs(), zone }),
      limit: String(rowsPerPage),
      ...(wanted.page !== "" && { cursor: wanted.page }),
    };
    readCalls(client, parameters).then(
      (page) => {
        if (latest.current !== asked) return;
        done.current = asked;
        setReading({ page, problem: null, busy: false });
      },
      (error) => {
        if (latest.current === asked) setReading({ page: null, problem: toSearchProblem(error), busy: false });
      },
    );
  }, [client, zone, asked]);

  useEffect(() => {
    // Back from one of its calls, the page is as it was.
    if (asked !== done.current) load();
  }, [load, asked]);

  return { ...reading, reload: load };
};

const liveMs = 2000;
const mostLive = 100;

export type LiveCalls = { readonly rows: readonly Call[]; readonly total: number; readonly isStale: boolean };

/** Calls in progress that match the search, kept fresh; null before they are read. */
export const useLiveCalls = (search: CallSearch, active: boolean): LiveCalls | null => {
  const { client } = useSession();
  const [live, setLive] = useState<LiveCalls | null>(null);
  const conditions = JSON.stringify({ ...conditionsOf({ ...search, status: "live" }), limit: String(mostLive) });
  const latest = useRef(conditions);
  latest.current = conditions;
  useEffect(() => setLive(null), [conditions]);
  const read = async (): Promise<void> => {
    try {
      const { rows, total } = await readCalls(client, JSON.parse(conditions));
      if (latest.current === conditions) setLive({ rows, total, isStale: false });
    } catch {
      if (latest.current === conditions) setLive((now) => ({ ...(now ?? { rows: [], total: 0 }), isStale: true }));
    }
  };
  usePolling(read, liveMs, active);
  return active ? live : null;
};

const freshMs = 10_000;

/** The number of calls that match and came in after the page was read; not counted unless `active`. */
export const useNewCalls = (search: CallSearch, page: CallPage | null, active: boolean): number => {
  const { client, zone } = useSession();
  const [fresh, setFresh] = useState(0);
  const newest = page?.rows[0]?.started_at ?? null;
  useEffect(() => setFresh(0), [page]);
  const read = async (): Promise<void> => {
    const parameters = parametersOf(search, { nowMs: nowMs(), zone });
    const since = newest === null ? parameters["start_date"] : new Date(Date.parse(newest) + 1).toISOString();
    const found = await readCalls(client, { ...parameters, start_date: since ?? "", limit: "1" }).catch(() => null);
    if (found !== null) setFresh(found.total);
  };
  usePolling(read, freshMs, active && page !== null);
  return fresh;
};
