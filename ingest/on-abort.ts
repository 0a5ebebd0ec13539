interface Waiting {
  readonly wakes: Set<() => void>;
  wakeAll(): void;
}

/** Listeners of signals that are being waited on. */
const waiting = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls `wake` when the signal aborts, unless what is returned has been called before. A signal has one listener however
 * many wait on it: thousands of deliveries that wait for the brokers of one log are no leak, and are not to look like one.
 */
export function onAbort(signal: AbortSignal, wake: () => void): () => void {
  const known = waiting.get(signal) ?? listenTo(signal);
  known.wakes.add(wake);
  return () => {
    known.wakes.delete(wake);
    if (known.wakes.size > 0 || waiting.get(signal) !== known) return;
    signal.removeEventListener("abort", known.wakeAll);
    waiting.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const wakes = new Set<() => void>();
  const known: Waiting = {
    wakes,
    wakeAll() {
      for (const wake of [...wakes]) wake();
    },
  };
  signal.addEventListener("abort", known.wakeAll, { once: true });
  waiting.set(signal, known);
  return known;
}
