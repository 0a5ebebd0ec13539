import { useRef, useState } from "preact/hooks";
import { isRefusal, type Problem, RequestError, toProblem } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { usePolling } from "../use-polling.ts";
import { type Overview, overviewSchema } from "./overview.ts";

const everyMs = 2000;
/** A day that is over changes by what is corrected alone; what is live beside it may be this old. */
const overEveryMs = 15_000;
const deadlineMs = 20_000;
/** After a failure whose answer names no other time. */
const pauseSeconds = 5;

/**
 * The overview of today, read again every two seconds, or of a day that is over; what was read last stays while it cannot
 * be, with the problem beside it.
 */
export const useOverview = (day: string | null) => {
  const { client, signInAgain } = useSession();
  const [overview, setOverview] = useState<Overview | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const notBefore = useRef(0);
  const path = `/v1/reports/overview${day === null ? "" : `?${new URLSearchParams({ day })}`}`;

  const read = async (): Promise<void> => {
    if (Date.now() < notBefore.current) return;
    try {
      setOverview(await client.get(path, overviewSchema, AbortSignal.timeout(deadlineMs)));
      setProblem(null);
    } catch (error) {
      if (isRefusal(error)) return signInAgain();
      const seconds = (error instanceof RequestError ? error.retryAfterSeconds : null) ?? pauseSeconds;
      notBefore.current = Date.now() + seconds * 1000;
      setProblem(toProblem(error));
    }
  };
  usePolling(read, day === null ? everyMs : overEveryMs, true);

  const retry = (): void => {
    notBefore.current = 0;
    void read();
  };
  return { overview, problem, retry };
};
