import type { ConfigChange } from "./database.ts";

/** Null: anything may have changed. */
export type Listener = (changes: readonly ConfigChange[] | null) => void;

/** Who is told of changes in this process. */
export function createListeners() {
  const listeners = new Set<Listener>();
  const tell: Listener = (changes) => {
    for (const listener of listeners) listener(changes);
  };
  return {
    tell,
    /** Returns what takes it away again. */
    add(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
