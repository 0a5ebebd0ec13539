import { useCallback } from "preact/hooks";
import type * as z from "zod/mini";
import { read, remove as removeAt } from "../client.ts";
import { type ReadPage, useListed } from "../use-listed.ts";

type ShelfPage<T> = { readonly data: T[]; readonly meta: { readonly total: number; readonly has_more: boolean } };
type Source<T> = {
  readonly path: string;
  /** Parameters of the list, beside its page's. */
  readonly only?: string;
  readonly schema: z.ZodMiniType<ShelfPage<T>>;
  /** Null while nobody looks at it; read again whenever it changes. */
  readonly wanted: string | null;
};

const pageLimit = 100;

/** What the panel at the side lists, the latest first, and how to remove of it. `path` and `schema` are the same each time. */
export const useShelf = <T extends { readonly id: string }>(
  token: string,
  { path, only = "", schema, wanted }: Source<T>,
) => {
  const readPage: ReadPage<T> = useCallback(
    async (after) => {
      const offset = after?.rows.length ?? 0;
      const { data, meta } = await read(token, `${path}?limit=${pageLimit}&offset=${offset}${only}`, schema);
      return { rows: data, total: meta.total, cursor: meta.has_more ? String(offset + data.length) : null };
    },
    [token, path, only, schema],
  );
  const { drop, ...list } = useListed(readPage, wanted);

  /** Whether it is gone. */
  const remove = useCallback(
    async (id: string): Promise<boolean> => {
      const done = await removeAt(token, `${path}/${encodeURIComponent(id)}`);
      if (done) drop(id);
      return done;
    },
    [token, path, drop],
  );
  return { ...list, remove };
};

export type Shelved<T extends { readonly id: string }> = ReturnType<typeof useShelf<T>>;
