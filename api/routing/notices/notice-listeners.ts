import { ZodError } from "zod";
import { describeIssues } from "../../../ingest/parse.ts";
import { UnreadableError } from "../../../ingest/unreadable.ts";
import type { Heard, NoticeKind } from "./notices.ts";

type Listener = (heard: Heard) => void;

const whyOf = (error: unknown): string => (error instanceof ZodError ? describeIssues(error) : String(error));

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
        const id = `${heard.kind} ${heard.orgId} ${heard.id}`;
        onTrouble(new UnreadableError({ table: "rtb_notices", id }, whyOf(error)));
      }
    },
  };
}
