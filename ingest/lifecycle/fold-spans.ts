import type { Message, PartitionReader } from "../log/log.ts";
import type { ParsedSignal } from "../signal.ts";
import type { Attributes, Span, Tracing } from "../tracing.ts";
import type { Output } from "./publish.ts";

const signalTopic = "call-signals";

/**
 * The spans of one batch: one for each signal that is folded into its call, a child of the span that published it, and one
 * for each event that time brings. They end when their events are in the log, whose messages name them as the parent.
 */
export function createFoldSpans(tracing: Tracing, { partition }: Pick<PartitionReader, "partition">) {
  const open: Span[] = [];

  function start(name: string, parent: string | null, attributes: Attributes, kind: "consumer" | "internal"): Span {
    const span = tracing.start(name, { kind, parent, attributes });
    open.push(span);
    return span;
  }

  return {
    /** Folds a signal's message within a span of its own. */
    fold<T extends { readonly fate: string; readonly output: readonly Output[] }>(
      message: Message,
      parsed: ParsedSignal,
      take: () => T,
    ): T {
      const about = parsed.ok ? idsOf(parsed.signal) : {};
      const attributes: Attributes = {
        "messaging.destination.name": signalTopic,
        "messaging.destination.partition.id": String(partition),
        "messaging.operation.name": "fold",
        "messaging.operation.type": "process",
        "messaging.consumer.group.name": "lifecycle",
        ...about,
      };
      const span = start(`fold ${signalTopic}`, message.traceparent ?? null, attributes, "consumer");
      const taken = take();
      span.set({ "trunkline.fate": taken.fate, "trunkline.events": taken.output.length });
      const { traceparent } = span;
      return { ...taken, output: taken.output.map((output) => ({ ...output, traceparent })) };
    },

    /** Outputs that no signal of the batch has brought, such as marks: each begins a trace. */
    byTime: (outputs: readonly Output[]): Output[] =>
      outputs.map((output) => {
        if (output.kind !== "event") return output;
        const { event } = output;
        const span = start("fold timer", null, { ...idsOf(event), "trunkline.event": event.event }, "internal");
        return { ...output, traceparent: span.traceparent };
      }),

    /** Ends all; they have failed where the lifecycle was stopped before their events were published. */
    end(isPublished: boolean): void {
      for (const span of open.splice(0)) {
        if (!isPublished) span.fail("stopped");
        span.end();
      }
    },
  };
}

const idsOf = ({ org_id, call_id }: { readonly org_id: string; readonly call_id: string }): Attributes => ({
  "trunkline.org_id": org_id,
  "trunkline.call_id": call_id,
});
