import { useEffect, useRef, useState } from "preact/hooks";
import type * as z from "zod/mini";
import { type Problem, RequestError, toProblem } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { usePolling } from "../use-polling.ts";

const usualMs = 5000;
const deadlineMs = 20_000;

export type Polled<T> = {
  /** The last answer of this path; null before the first. */
  readonly found: T | null;
  readonly problem: Problem | null;
  /** True where there is no such thing. */
  readonly isMissing: boolean;
  readonly read: () => Promise<void>;
};

/**
 * Reads a path again every five seconds, or as often as is said; while it cannot be read, the last answer stays.
 * `addressOf` makes the address of each reading where that moves with time, such as the last 24 hours.
 */
export const usePolled = <T>(
  path: string,
  schema: z.ZodMiniType<T>,
  addressOf = (): string => path,
  everyMs = usualMs,
): Polled<T> => {
  const { client, signInAgain } = useSession();
  const [state, setState] = useState<{ path: string; found: T | null; problem: Problem | null; isMissing: boolean }>({
    path,
    found: null,
    problem: null,
    isMissing: false,
  });
  const shown = useRef(path);
  shown.current = path;
  const read = async (): Promise<void> => {
    try {
      const found = await client.get(addressOf(), schema, AbortSignal.timeout(deadlineMs));
      if (shown.current === path) setState({ path, found, problem: null, isMissing: false });
    } catch (error) {
      if (shown.current !== path) return;
      if (error instanceof RequestError && error.status === 401) return signInAgain();
      const isMissing = error instanceof RequestError && error.status === 404;
      setState((now) => ({ path, found: now.path === path ? now.found : null, problem: toProblem(error), isMissing }));
    }
  };
  usePolling(read, everyMs, true);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) void read();
    isFirst.current = false;
  }, [path]);
  const isOfPath = state.path === path;
  return {
    found: isOfPath ? state.found : null,
    problem: isOfPath ? state.problem : null,
    isMissing: isOfPath && state.isMissing,
    read,
  };
};
