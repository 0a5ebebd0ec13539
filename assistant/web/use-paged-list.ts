import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Problem, toProblem } from "./problem.ts";

/** A page of a list of the server's; `cursor` leads to the next one, and is null at the end. */
export type Page<T> = { readonly rows: readonly T[]; readonly total: number; readonly cursor: string | null };

/** The state of reading more of a list, or the list again, while the rows read so far stay. */
export type Rest =
  | { readonly kind: "idle" | "loading" }
  | { readonly kind: "failed"; readonly of: "more" | "all"; readonly problem: Problem };

export type Found<T> = Page<T> & { readonly kind: "found"; readonly rest: Rest };
export type PagedList<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly problem: Problem }
  | Found<T>;

type WithId = { readonly id: string };

/** While it is read again, a list keeps its rows. */
export const whileReading = <T>(list: PagedList<T>): PagedList<T> =>
  list.kind === "found" ? { ...list, rest: { kind: "loading" } } : { kind: "loading" };

/** Appends a page, without rows that were removed meanwhile, or that rows added meanwhile have moved into it. */
export const withPage = <T extends WithId>(
  before: readonly T[],
  page: Page<T>,
  removed: ReadonlySet<string>,
): Found<T> => {
  const known = new Set([...removed, ...before.map(({ id }) => id)]);
  const kept = before.filter(({ id }) => !removed.has(id));
  const fresh = page.rows.filter(({ id }) => !known.has(id));
  const total = page.total - page.rows.filter(({ id }) => removed.has(id)).length;
  return { kind: "found", rows: [...kept, ...fresh], total, cursor: page.cursor, rest: { kind: "idle" } };
};

/** A failure leaves the rows that were read before it. */
export const withProblem = <T>(list: PagedList<T>, of: "more" | "all", problem: Problem): PagedList<T> =>
  list.kind === "found" ? { ...list, rest: { kind: "failed", of, problem } } : { kind: "failed", problem };

export const withoutRow = <T extends WithId>(list: PagedList<T>, id: string): PagedList<T> => {
  if (list.kind !== "found") return list;
  const rows = list.rows.filter((row) => row.id !== id);
  return { ...list, rows, total: list.total - (list.rows.length - rows.length) };
};

/** Replaces the row with the same id. */
export const withRow = <T extends WithId>(list: PagedList<T>, row: T): PagedList<T> =>
  list.kind === "found" ? { ...list, rows: list.rows.map((each) => (each.id === row.id ? row : each)) } : list;

/** Reads the page after the rows found so far; the first one where there are none. */
export type ReadPage<T> = (after: Found<T> | null) => Promise<Page<T>>;

/**
 * A list of the server's, read a page at a time; of several readings the latest counts. It is read while `version` is
 * not null, and again whenever that changes; another `readPage` starts from nothing.
 */
export const usePagedList = <T extends WithId>(readPage: ReadPage<T>, version: string | null) => {
  const [list, setList] = useState<PagedList<T>>({ kind: "loading" });
  const latest = useRef(0);
  // A page that was asked for before a removal may arrive after it, and still hold the row.
  const removed = useRef(new Set<string>());

  const load = useCallback(
    async (after: Found<T> | null): Promise<void> => {
      latest.current += 1;
      const mine = latest.current;
      setList(whileReading);
      const update = await readPage(after).then(
        (page) => () => withPage(after?.rows ?? [], page, removed.current),
        (error) => (now: PagedList<T>) => withProblem(now, after === null ? "all" : "more", toProblem(error)),
      );
      if (mine === latest.current) setList(update);
    },
    [readPage],
  );

  useEffect(() => {
    removed.current = new Set();
    setList({ kind: "loading" });
  }, [readPage]);

  useEffect(() => {
    if (version !== null) void load(null);
  }, [load, version]);

  const reload = useCallback((): void => void load(null), [load]);
  const more = (): void => {
    if (list.kind === "found" && list.rest.kind !== "loading") void load(list);
  };
  /** Repeats the reading that failed. */
  const retry = (): void => {
    if (list.kind === "found" && list.rest.kind === "failed" && list.rest.of === "more") more();
    else reload();
  };
  const remove = useCallback((id: string): void => {
    removed.current.add(id);
    setList((now) => withoutRow(now, id));
  }, []);
  const replace = useCallback((row: T): void => setList((now) => withRow(now, row)), []);

  return { list, reload, more, retry, remove, replace };
};
