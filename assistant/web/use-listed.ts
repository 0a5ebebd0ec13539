import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import {
  type Found,
  type Listed,
  type Page,
  whileReading,
  withoutRow,
  withPage,
  withProblem,
  withRow,
} from "./listed.ts";
import { toProblem } from "./problem.ts";

/** Reads what follows what is there; from the beginning where that is null. */
export type ReadPage<T> = (after: Found<T> | null) => Promise<Page<T>>;

/**
 * A list of the server's, a page at a time; the latest reading wins. It is read while `wanted` is not null, and again
 * whenever that changes; what another `readPage` had found is forgotten.
 */
export const useListed = <T extends { readonly id: string }>(readPage: ReadPage<T>, wanted: string | null) => {
  const [listed, setListed] = useState<Listed<T>>({ kind: "loading" });
  const latest = useRef(0);
  // A page that was asked for before a removal may come after it, and knows nothing of it.
  const gone = useRef(new Set<string>());

  const load = useCallback(
    async (after: Found<T> | null): Promise<void> => {
      latest.current += 1;
      const mine = latest.current;
      setListed(whileReading);
      const become = await readPage(after).then(
        (page) => () => withPage(after?.rows ?? [], page, gone.current),
        (error) => (now: Listed<T>) => withProblem(now, after === null ? "all" : "more", toProblem(error)),
      );
      if (mine === latest.current) setListed(become);
    },
    [readPage],
  );

  useEffect(() => {
    gone.current = new Set();
    setListed({ kind: "loading" });
  }, [readPage]);

  useEffect(() => {
    if (wanted !== null) void load(null);
  }, [load, wanted]);

  const reload = useCallback((): void => void load(null), [load]);
  const more = (): void => {
    if (listed.kind === "found" && listed.rest.kind !== "loading") void load(listed);
  };
  /** Reads what could not be read. */
  const again = (): void => {
    if (listed.kind === "found" && listed.rest.kind === "failed" && listed.rest.of === "more") more();
    else reload();
  };
  const drop = useCallback((id: string): void => {
    gone.current.add(id);
    setListed((now) => withoutRow(now, id));
  }, []);
  const put = useCallback((row: T): void => setListed((now) => withRow(now, row)), []);

  return { listed, reload, more, again, drop, put };
};
