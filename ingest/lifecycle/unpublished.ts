/** A call may go without an event for so many signals of its partition: a restart has no more than that to read again. */
const maxUnpublishedSignals = 20_000;

/** Calls that changed without an event, each since the signal at an offset; in the order of their offsets. */
export function createUnpublished() {
  const offsets = new Map<string, number>();

  return {
    /** Keeps the first of several signals. */
    add(callId: string, signalOffset: number): void {
      if (!offsets.has(callId)) offsets.set(callId, signalOffset);
    },
    remove(callId: string): void {
      offsets.delete(callId);
    },
    /** Returns null if every signal has its events published. */
    oldest(): number | null {
      for (const offset of offsets.values()) return offset;
      return null;
    },
    /** Calls whose signals long before `signalOffset` have no published event. */
    longBefore(signalOffset: number): string[] {
      const callIds: string[] = [];
      for (const [callId, offset] of offsets) {
        if (offset > signalOffset - maxUnpublishedSignals) break;
        callIds.push(callId);
      }
      return callIds;
    },
  };
}
