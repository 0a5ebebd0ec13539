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
  /** Campaigns whose next call gets it; null for any. */
  campaign_ids: z.array(z.string()).nullable().default(null),
  received_at: z.string(),
  expires_at: z.string(),
});
export type KeptData = z.infer<typeof keepSchema>;

/** The effects of a request, and its answer. */
export const planSchema = z.object({
  call_id: callId.nullable(),
  /** Published about the call. */
  signal: signalSchema.nullable(),
  keep: keepSchema.nullable(),
  answer: z.record(z.string(), z.json()),
});
export type Plan = z.infer<typeof planSchema>;

/** Returns the part of a call that a request changes, for the answer's `before` and `after`. */
export type View = (call: Call | null) => Readonly<Record<string, string | number | boolean | null>>;

export interface Change {
  /** The signal, without what all signals have. */
  readonly input: UpdateInput;
  readonly view: View;
  /** Names that were sent and cannot be used; null if the answer does not show them. */
  readonly ignored: readonly string[] | null;
}
type SharedFields = "org_id" | "call_id" | "at" | "update";
type UpdateInput =
  | Omit<Extract<SignalInput, { kind: "tagged" }>, SharedFields>
  | Omit<Extract<SignalInput, { kind: "adjusted" }>, SharedFields>
  | Omit<Extract<SignalInput, { kind: "fields" }>, SharedFields>;

export interface Planned {
  readonly orgId: string;
  /** The author, such as `incoming_webhook:<id>`. */
  readonly source: string;
  readonly found: FoundCall;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly updateId: string;
}

/**
 * Plans a change of a call. The signal carries the call as it was found: the lifecycle may not remember it any more, and
 * has no store to ask.
 */
export function planChange(change: Change, { orgId, source, found, now, updateId }: Planned): Plan {
  const { input, view, ignored } = change;
  const signal = signalSchema.parse({
    ...input,
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
      ...toIgnored(ignored),
    },
  };
}

/** Names that an answer shows, and characters of each: a body may have any number of them. */
const [mostIgnored, longestIgnored] = [100, 64];

/** Returns the answer's field of names that could not be used; no field for null. */
export const toIgnored = (ignored: readonly string[] | null): { readonly ignored?: string[] } =>
  ignored === null ? {} : { ignored: ignored.slice(0, mostIgnored).map((name) => cutText(name, longestIgnored)) };

/** Returns the call as the lifecycle will fold it, unless another update comes between. */
function afterUpdate(id: CallId, before: Call | null, signal: z.output<typeof signalSchema>): Call | null {
  const applied = applySignal(before ?? justBegun(id, signal), signal, Number.MAX_SAFE_INTEGER);
  return applied.kind === "applied" ? applied.call : before;
}

/** Returns a call that came in just now, with the fields that answers show. */
function justBegun(
  call_id: CallId,
  { org_id, at }: Pick<z.output<typeof signalSchema>, "org_id" | "at">,
): Call | undefined {
  const incoming = signalSchema.parse({ kind: "incoming", org_id, call_id, at, from: "", to: "" });
  const begun = applySignal(undefined, incoming, 0);
  return begun.kind === "applied" ? begun.call : undefined;
}

/** The plan of a request without effect. */
export const planNothing = (call_id: CallId | null, answer: Plan["answer"]): Plan => ({
  call_id,
  signal: null,
  keep: null,
  answer,
});

export const unmatched: Plan["answer"] = { success: true, matched: false };
