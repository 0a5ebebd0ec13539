import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { read, remove as removeAt } from "../client.ts";
import { type SavedAnswer, savedAnswersSchema } from "../wire.ts";

export type FoundSaved =
  | { readonly kind: "loading" }
  | { readonly kind: "failed" }
  | { readonly kind: "found"; readonly answers: readonly SavedAnswer[]; readonly total: number };

const path = "/reporting_ai/approved";
const pageLimit = 100;

const readPage = async (token: string, offset: number): Promise<FoundSaved> => {
  const { data, meta } = await read(token, `${path}?limit=${pageLimit}&offset=${offset}`, savedAnswersSchema);
  return { kind: "found", answers: data, total: meta.total };
};

/** The organization's saved answers, the latest first, a page at a time; read while they are wanted. */
export const useSaved = (token: string, wanted: boolean) => {
  const [found, setFound] = useState<FoundSaved>({ kind: "loading" });
  const latest = useRef(0);

  const load = useCallback(
    async (before: readonly SavedAnswer[]): Promise<void> => {
      latest.current += 1;
      const mine = latest.current;
      const page = await readPage(token, before.length).catch((): FoundSaved => ({ kind: "failed" }));
      if (mine !== latest.current) return;
      // One that was saved meanwhile has moved the others a place on.
      const known = new Set(before.map(({ id }) => id));
      const fresh = page.kind === "found" ? page.answers.filter(({ id }) => !known.has(id)) : [];
      setFound(page.kind === "found" ? { ...page, answers: [...before, ...fresh] } : page);
    },
    [token],
  );

  const reload = useCallback((): void => {
    if (wanted) void load([]);
  }, [load, wanted]);

  useEffect(reload, [reload]);

  const remove = useCallback(
    async (id: string): Promise<boolean> => {
      const done = await removeAt(token, `${path}/${encodeURIComponent(id)}`);
      if (done) setFound((now) => without(now, id));
      return done;
    },
    [token],
  );

  return { found, reload, remove, more: () => (found.kind === "found" ? load(found.answers) : Promise.resolve()) };
};

const without = (found: FoundSaved, id: string): FoundSaved => {
  if (found.kind !== "found") return found;
  const answers = found.answers.filter((answer) => answer.id !== id);
  return { ...found, answers, total: found.total - (found.answers.length - answers.length) };
};
