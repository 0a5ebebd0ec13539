import { useCallback } from "preact/hooks";
import { read } from "../client.ts";
import { conversationsSchema, type Message, messagesSchema } from "../wire.ts";
import { useShelf } from "./use-shelf.ts";

const path = "/reporting_ai/sessions";
// A session holds so many questions at most, and one page takes as many.
const wholePage = "limit=200&sort_direction=asc";

/** The analyst's conversations on the page, without what programs ask for them; read again whenever `latest` changes: when one begins, or goes on. */
export const useSessions = (token: string, latest: string) => {
  const shelf = useShelf(token, { path, only: "&origin=page", schema: conversationsSchema, wanted: latest });

  /** All of one; throws what `read` throws, a 404 where it was deleted or is somebody else's. */
  const load = useCallback(
    async (id: string): Promise<readonly Message[]> =>
      (await read(token, `${path}/${encodeURIComponent(id)}/messages?${wholePage}`, messagesSchema)).data,
    [token],
  );

  return { ...shelf, load };
};
