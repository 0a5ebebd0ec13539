import { z } from "zod";
import type { Call } from "../../../ingest/call.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { applySignal } from "../../../ingest/lifecycle/fold.ts";
import { type CallId, callId, cutText } from "../../../ingest/primitives.ts";
import { type SignalInput, signalSchema } from "../../../ingest/signal.ts";
import type { FoundCall } from "./find-call.ts";

/** Data of a caller who has not called yet. */
const keepSchema = z.object({
  id: z.string(),
  caller: z.string(),
  tags: z.record(z.string(), z.string()),
  received_at: z.string(),
  expires_at: z.string(),
});
export type KeptData = z.infer<typeof keepSchema>;

/** What is to be done for a request, and what it is answered then. */
export const planSchema = z.object({
  call_id: callId.nullable(),
  /** What the log is told of the call. */
  signal: signalSchema.nullable(),
  keep: keepSchema.nullable(),
  answer: z.record(z.string(), z.json()),
});
export type Plan = z.infer<typeof planSchema>;

/** What of a call a request touches, as answers show it before and after. */
export type View = (call: Call | null) => Readonly<Record<string, string | number | boolean | null>>;

export interface Change {
  /** The update's own part of its signal. */
  readonly said: Said;
  readonly view: View;
  /** What was sent and could not be used; null where the answer does not tell. */
  readonly ignored: readonly string[] | null;
}
type Told = "org_id" | "call_id" | "at" | "update";
type Said =
  | Omit<Extract<SignalInput, { kind: "tagged" }>, Told>
  | Omit<Extract<SignalInput, { kind: "adjusted" }>, Told>
  | Omit<Extract<SignalInput, { kind: "fields" }>, Told>;

export interface Planned {
  readonly orgId: string;
  /** Who says it, such as `incoming_webhook:<id>`. */
  readonly source: string;
  readonly found: FoundCall;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly updateId: string;
}

/**
 * The plan of a change to a call. The signal carries the call as it was found: the lifecycle may remember it no more, and
 * knows no store to ask.
 */
export function planChange(change: Change, { orgId, source, found, now, updateId }: Planned): Plan {
  const { said, view, ignored } = change;
  const signal = signalSchema.parse({
    ...said,
    org_id: orgId,
    call_id: found.callId,
    at: isoTime(now),
    update: { id: updateId, source, stored: found.stored },
  });
  const before = found.stored?.call ?? null;
  return {
    call_id: found.callId,
    signal,
    keep: null,
    answer: {
      success: true,
      matched: true,
      call_id: found.callId,
      before: view(before),
      after: view(afterUpdate(found.callId, before, signal)),
      ...tellIgnored(ignored),
    },
  };
}

/** Names that an answer tells, and characters of each: a body may have any number of them. */
const [mostIgnored, longestIgnored] = [100, 64];

/** The part of an answer that names what could not be used; no part where the answer does not tell. */
export const tellIgnored = (ignored: readonly string[] | null): { readonly ignored?: string[] } =>
  ignored === null ? {} : { ignored: ignored.slice(0, mostIgnored).map((name) => cutText(name, longestIgnored)) };

/** As the lifecycle will fold it, unless another update comes between. */
function afterUpdate(id: CallId, before: Call | null, signal: z.output<typeof signalSchema>): Call | null {
  const applied = applySignal(before ?? justBegun(id, signal), signal, Number.MAX_SAFE_INTEGER);
  return applied.kind === "applied" ? applied.call : before;
}

/** As much of a call that came in just now as an answer shows. */
function justBegun(
  call_id: CallId,
  { org_id, at }: Pick<z.output<typeof signalSchema>, "org_id" | "at">,
): Call | undefined {
  const incoming = signalSchema.parse({ kind: "incoming", org_id, call_id, at, from: "", to: "" });
  const begun = applySignal(undefined, incoming, 0);
  return begun.kind === "applied" ? begun.call : undefined;
}

/** Of a request that nothing is done for. */
export const planNothing = (call_id: CallId | null, answer: Plan["answer"]): Plan => ({
  call_id,
  signal: null,
  keep: null,
  answer,
});

export const unmatched: Plan["answer"] = { success: true, matched: false };
