import { useRef, useState } from "preact/hooks";
import { isRefusal, type Problem, RequestError, toProblem } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { usePolling } from "../use-polling.ts";
import { type Overview, overviewSchema } from "./overview.ts";

const everyMs = 2000;
const deadlineMs = 20_000;
/** After a failure whose answer names no other time. */
const pauseSeconds = 5;

/** The overview, read again every two seconds; what was read last stays while it cannot be, with the problem beside it. */
export const useOverview = () => {
  const { client, signInAgain } = useSession();
  const [overview, setOverview] = useState<Overview | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const notBefore = useRef(0);

  const read = async (): Promise<void> => {
    if (Date.now() < notBefore.current) return;
    try {
      setOverview(await client.get("/v1/reports/overview", overviewSchema, AbortSignal.timeout(deadlineMs)));
      setProblem(null);
    } catch (error) {
      if (isRefusal(error)) return signInAgain();
      const seconds = (error instanceof RequestError ? error.retryAfterSeconds : null) ?? pauseSeconds;
      notBefore.current = Date.now() + seconds * 1000;
      setProblem(toProblem(error));
    }
  };
  usePolling(read, everyMs, true);

  const retry = (): void => {
    notBefore.current = 0;
    void read();
  };
  return { overview, problem, retry };
};
