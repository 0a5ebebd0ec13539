/** Listeners of this process, each called with everything that is emitted. */
export function createListeners<T>() {
  const listeners = new Set<(value: T) => void>();
  return {
    emit(value: T): void {
      for (const listener of listeners) listener(value);
    },
    /** Returns what removes it again. */
    add(listener: (value: T) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
