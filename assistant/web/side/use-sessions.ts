import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { read, remove as removeAt } from "../client.ts";
import { type Conversation, conversationsSchema, type Message, messagesSchema } from "../wire.ts";

const sessionPath = (id: string): string => `/reporting_ai/sessions/${encodeURIComponent(id)}`;
// A session holds so many questions at most, and one page takes as many.
const wholePage = "limit=200&sort_direction=asc";

/** The analyst's conversations, read again whenever `latest` changes: when one begins, or goes on. */
export const useSessions = (token: string, latest: string | null) => {
  const [sessions, setSessions] = useState<readonly Conversation[]>([]);
  const asked = useRef(0);

  const refresh = useCallback(async (): Promise<void> => {
    asked.current += 1;
    const mine = asked.current;
    // The list is a courtesy: without it questions can still be asked.
    const found = await read(token, "/reporting_ai/sessions?limit=100", conversationsSchema).catch(() => null);
    // One that was asked for before a deletion may come after it, and knows nothing of it.
    if (found !== null && mine === asked.current) setSessions(found.data);
  }, [token]);

  useEffect(() => {
    void refresh();
  }, [refresh, latest]);

  /** Null where it cannot be read: it was deleted, or is somebody else's. */
  const load = useCallback(
    async (id: string): Promise<readonly Message[] | null> => {
      const found = await read(token, `${sessionPath(id)}/messages?${wholePage}`, messagesSchema).catch(() => null);
      return found?.data ?? null;
    },
    [token],
  );

  const remove = useCallback(
    async (id: string): Promise<boolean> => {
      const done = await removeAt(token, sessionPath(id));
      await refresh();
      return done;
    },
    [token, refresh],
  );

  return { sessions, load, remove };
};
