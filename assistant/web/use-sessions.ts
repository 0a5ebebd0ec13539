import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { read, send } from "./client.ts";
import { type Conversation, conversationsSchema, deletedSchema, type Message, messagesSchema } from "./wire.ts";

const sessionPath = (id: string): string => `/reporting_ai/sessions/${encodeURIComponent(id)}`;
// A session holds so many questions at most, and one page takes as many.
const wholePage = "limit=200&sort_direction=asc";

/** The analyst's conversations, read again whenever `latest` changes: when one begins, or goes on. */
export const useSessions = (token: string, latest: string | null) => {
  const [sessions, setSessions] = useState<readonly Conversation[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
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

  const load = useCallback(
    async (id: string): Promise<readonly Message[] | null> => {
      setProblem(null);
      const found = await read(token, `${sessionPath(id)}/messages?${wholePage}`, messagesSchema).catch(() => null);
      if (found === null) setProblem("That conversation could not be opened. It may have been deleted.");
      return found?.data ?? null;
    },
    [token],
  );

  const remove = useCallback(
    async (id: string): Promise<boolean> => {
      setProblem(null);
      const done = await send(token, { method: "DELETE", path: sessionPath(id) }, deletedSchema).catch(() => null);
      if (done === null) setProblem("That conversation could not be deleted. Try again.");
      await refresh();
      return done !== null;
    },
    [token, refresh],
  );

  return { sessions, problem, load, remove };
};
