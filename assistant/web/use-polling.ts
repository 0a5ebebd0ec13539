import { useEffect, useRef } from "preact/hooks";

/**
 * Calls `read` at once, and again so many milliseconds after each reading has ended, while `active` and the page is
 * visible; a page that becomes visible again reads at once.
 */
export const usePolling = (read: () => Promise<void>, everyMs: number, active: boolean): void => {
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    if (!active) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isReading = false;
    let isOver = false;
    const tick = async (): Promise<void> => {
      clearTimeout(timer);
      if (isReading || document.visibilityState !== "visible") return;
      isReading = true;
      await latest.current();
      isReading = false;
      if (!isOver) timer = setTimeout(() => void tick(), everyMs);
    };
    const wake = (): void => void tick();
    wake();
    document.addEventListener("visibilitychange", wake);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
    };
  }, [active, everyMs]);
};

/** Waits in milliseconds before each look for the effect of a change: a webhook may take ten seconds, its record a moment more. */
const waitsMs = [300, 500, 700, 1000, 1000, 1500, 2000, 3000, 4000, 5000];

/** Looks for the effect of a change until there is one; null if it is late. */
export const pollFor = async <Found>(look: () => Promise<Found | null>): Promise<Found | null> => {
  for (const ms of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    const found = await look();
    if (found !== null) return found;
  }
  return null;
};
