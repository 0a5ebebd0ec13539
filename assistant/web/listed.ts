import type { Problem } from "./problem.ts";

/** A part of a list of the server's; `cursor` leads to what follows it, and is null at the end. */
export type Page<T> = { readonly rows: readonly T[]; readonly total: number; readonly cursor: string | null };

/** What becomes of reading more of a list, or the list again, while what was read of it stands there. */
export type Rest =
  | { readonly kind: "idle" | "loading" }
  | { readonly kind: "failed"; readonly of: "more" | "all"; readonly problem: Problem };

export type Found<T> = Page<T> & { readonly kind: "found"; readonly rest: Rest };
export type Listed<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly problem: Problem }
  | Found<T>;

type Named = { readonly id: string };

/** Only what is not there yet is a list that is being read. */
export const whileReading = <T>(listed: Listed<T>): Listed<T> =>
  listed.kind === "found" ? { ...listed, rest: { kind: "loading" } } : { kind: "loading" };

/** What stood there, and the page after it; what was added meanwhile has moved some rows into it that are there already. */
export const withPage = <T extends Named>(before: readonly T[], page: Page<T>, gone: ReadonlySet<string>): Found<T> => {
  const known = new Set([...gone, ...before.map(({ id }) => id)]);
  const kept = before.filter(({ id }) => !gone.has(id));
  const fresh = page.rows.filter(({ id }) => !known.has(id));
  const total = page.total - page.rows.filter(({ id }) => gone.has(id)).length;
  return { kind: "found", rows: [...kept, ...fresh], total, cursor: page.cursor, rest: { kind: "idle" } };
};

/** A failure takes nothing away of what was read before it. */
export const withProblem = <T>(listed: Listed<T>, of: "more" | "all", problem: Problem): Listed<T> =>
  listed.kind === "found" ? { ...listed, rest: { kind: "failed", of, problem } } : { kind: "failed", problem };

export const withoutRow = <T extends Named>(listed: Listed<T>, id: string): Listed<T> => {
  if (listed.kind !== "found") return listed;
  const rows = listed.rows.filter((row) => row.id !== id);
  return { ...listed, rows, total: listed.total - (listed.rows.length - rows.length) };
};

/** A row as it is by now. */
export const withRow = <T extends Named>(listed: Listed<T>, row: T): Listed<T> =>
  listed.kind === "found" ? { ...listed, rows: listed.rows.map((each) => (each.id === row.id ? row : each)) } : listed;
