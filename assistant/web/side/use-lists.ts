import { useCallback } from "preact/hooks";
import type * as z from "zod/mini";
import { errorText } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { type ReadPage, usePagedList } from "../use-paged-list.ts";
import {
  type ApprovedQuestion,
  approvedQuestionsSchema,
  type Message,
  messagesSchema,
  openedQuestionSchema,
  savedQuestionSchema,
  savedQuestionsSchema,
  storedSessionsSchema,
} from "../wire.ts";

type ListPage<T> = { readonly data: T[]; readonly meta: { readonly total: number; readonly has_more: boolean } };
type Source<T> = {
  readonly path: string;
  /** Parameters of the list, beside those of the page. */
  readonly filter?: string;
  readonly schema: z.ZodMiniType<ListPage<T>>;
  /** The list is read again whenever this changes, and not while it is null. */
  readonly version: string | null;
};

const pageLimit = 100;

/** A list of the side panel, the latest first; another `filter` reads it anew. `path` and `schema` are constants. */
const useList = <T extends { readonly id: string }>({ path, filter = "", schema, version }: Source<T>) => {
  const { client } = useSession();
  const readPage: ReadPage<T> = useCallback(
    async (after) => {
      const offset = after?.rows.length ?? 0;
      const { data, meta } = await client.get(`${path}?limit=${pageLimit}&offset=${offset}${filter}`, schema);
      return { rows: data, total: meta.total, cursor: meta.has_more ? String(offset + data.length) : null };
    },
    [client, path, filter, schema],
  );
  const { remove: removeRow, ...list } = usePagedList(readPage, version);

  /** Deletes one on the server; false where that failed. */
  const remove = useCallback(
    async (id: string): Promise<boolean> => {
      const done = await client.remove(`${path}/${encodeURIComponent(id)}`);
      if (done) removeRow(id);
      return done;
    },
    [client, path, removeRow],
  );
  return { ...list, remove };
};
export type List<T extends { readonly id: string }> = ReturnType<typeof useList<T>>;

const sessionsPath = "/reporting_ai/sessions";
// A session holds 200 questions at most, and so does a page.
const wholeSession = "limit=200&sort_direction=asc";

/**
 * The analyst's own conversations on the page, without those of programs, with a text in them unless it is empty;
 * `version` changes when one begins or goes on.
 */
export const useSessions = (version: string, search: string) => {
  const { client } = useSession();
  const filter = `&${new URLSearchParams({ origin: "page", ...(search !== "" && { search }) })}`;
  const list = useList({ path: sessionsPath, filter, schema: storedSessionsSchema, version });

  /** All messages of one; a 404 where it was deleted or is somebody else's. */
  const load = async (id: string): Promise<readonly Message[]> =>
    (await client.get(`${sessionsPath}/${encodeURIComponent(id)}/messages?${wholeSession}`, messagesSchema)).data;

  return { ...list, load };
};

const savedPath = "/reporting_ai/saved";

/** The organization's saved questions, read while they are shown. */
export const useSavedQuestions = (isShown: boolean) => {
  const { client } = useSession();
  const version = isShown ? "shown" : null;
  const { replace, ...list } = useList({ path: savedPath, schema: savedQuestionsSchema, version });
  const pathOf = (id: string): string => `${savedPath}/${encodeURIComponent(id)}`;

  /** One with the plan that answers it today. */
  const open = (id: string) => client.get(pathOf(id), openedQuestionSchema);

  /** Returns why it could not be renamed, or null. */
  const rename = async (id: string, name: string): Promise<string | null> => {
    try {
      replace(await client.send({ method: "PATCH", path: pathOf(id), body: { name } }, savedQuestionSchema));
      return null;
    } catch (error) {
      return errorText(error);
    }
  };

  return { ...list, open, rename };
};

/** The organization's approved questions, read while they are shown. */
export const useApprovedQuestions = (isShown: boolean): List<ApprovedQuestion> =>
  useList({ path: "/reporting_ai/approved", schema: approvedQuestionsSchema, version: isShown ? "shown" : null });
