import type { Heard, NoticeKind } from "./notices.ts";

type Listener = (heard: Heard) => void;

/** Who listens to which notices. One that a listener cannot read, as of a process of another version, is told of. */
export function createNoticeListeners(onTrouble: (error: unknown) => void) {
  const listeners = new Map<NoticeKind, Listener[]>();
  return {
    add(kind: NoticeKind, listener: Listener): void {
      listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
    },

    pass(heard: Heard): void {
      try {
        for (const listener of listeners.get(heard.kind) ?? []) listener(heard);
      } catch (error) {
        onTrouble(error);
      }
    },
  };
}
