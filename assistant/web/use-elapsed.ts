import { useEffect, useState } from "preact/hooks";

const tickMs = 100;

/** Milliseconds since `startedAtMs` on the page's own clock, ticking while shown. */
export const useElapsed = (startedAtMs: number): number => {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, now - startedAtMs);
};
