import type { Call } from "../../../ingest/call.ts";
import type { CallEvent } from "../../../ingest/event.ts";
import { applySignal } from "../../../ingest/lifecycle/fold.ts";
import type { Signal } from "../../../ingest/signal.ts";

/** Folds the signals as the log would give them, from the offset after `from`'s last. */
export function foldSignals(signals: readonly Signal[], from?: Call) {
  let call = from;
  const first = (from?.last_signal ?? -1) + 1;
  const events: CallEvent[] = [];
  signals.forEach((signal, index) => {
    const applied = applySignal(call, signal, first + index);
    if (applied.kind !== "applied") return;
    call = applied.call;
    events.push(...applied.events);
  });
  if (call === undefined) throw new Error("no call came of it");
  return { call, events, names: events.map(({ event }) => event) };
}
