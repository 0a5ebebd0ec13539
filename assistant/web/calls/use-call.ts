import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { nowMs } from "../clock.ts";
import { type Problem, RequestError, toProblem } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { pollFor, usePolling } from "../use-polling.ts";
import { type Details, detailsPath, detailsSchema } from "./call.ts";

export type OpenedCall =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly problem: Problem }
  | { readonly kind: "missing"; readonly words: string }
  | { readonly kind: "open"; readonly details: Details };

const liveMs = 2000;

const toFailure = (error: unknown): OpenedCall =>
  error instanceof RequestError && error.status === 404
    ? { kind: "missing", words: error.message }
    : { kind: "failed", problem: toProblem(error) };

/** For so long a call that has ended is read again, as its webhooks follow, and one that is not stored yet is looked for. */
const settlesMs = 20_000;

const isMoving = (opened: OpenedCall, openedAt: number): boolean => {
  if (opened.kind === "missing") return nowMs() - openedAt < settlesMs;
  if (opened.kind !== "open") return false;
  const { ended_at } = opened.details.call;
  return ended_at === null || nowMs() - Date.parse(ended_at) < settlesMs;
};

/** One call whole, read again while it goes on; `waitFor` reads it until a change shows, and resolves with false when it is late. */
export const useCall = (id: string) => {
  const { client } = useSession();
  const [opened, setOpened] = useState<OpenedCall>({ kind: "loading" });
  const openedAt = useRef(nowMs());
  const shown = useRef(id);
  shown.current = id;

  const read = useCallback(async (): Promise<Details> => {
    const details = await client.get(detailsPath(id), detailsSchema);
    if (shown.current === id) setOpened({ kind: "open", details });
    return details;
  }, [client, id]);

  const open = useCallback((): void => {
    setOpened({ kind: "loading" });
    read().catch((error) => shown.current === id && setOpened(toFailure(error)));
  }, [read, id]);

  useEffect(open, [open]);
  const refresh = (): Promise<void> =>
    read().then(
      () => undefined,
      // The last reading stays on the page: a call that cannot be read now is read again.
      (error) => setOpened((now) => (now.kind === "open" ? now : toFailure(error))),
    );
  usePolling(refresh, liveMs, isMoving(opened, openedAt.current));

  const waitFor = useCallback(
    async (holds: (details: Details) => boolean): Promise<boolean> => {
      const found = await pollFor(async () => {
        // A read that fails tells nothing of the change: it is tried again.
        const details = await read().catch(() => null);
        return details !== null && holds(details) ? details : null;
      });
      return found !== null;
    },
    [read],
  );

  return { opened, open, waitFor };
};
