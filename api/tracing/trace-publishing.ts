import type { EventLog, NewMessage } from "../../ingest/log/log.ts";
import { type Attributes, causesOf, errorTypeOf, type SpanOptions, type Tracing } from "../../ingest/tracing.ts";

/**
 * Wraps the log so that publishing has a span wherever the publisher, or what brought the messages, has one; messages go out
 * with the traceparent that their consumers continue. What is published outside of any trace begins none.
 */
export function tracePublishing(log: EventLog, tracing: Tracing | null, system: string): EventLog {
  if (tracing === null) return log;
  const publish = async (messages: readonly NewMessage[]) => {
    const causes = causesOf(messages) ?? activeOf(tracing);
    if (causes === null) return log.publish(messages);
    const { name, attributes } = describe(messages, system);
    const span = tracing.start(name, { kind: "producer", ...causes, attributes });
    // With several causes, each message keeps its own.
    const { traceparent } = span;
    const isOne = causes.links === undefined;
    const traced = messages.map((each) => (isOne || each.traceparent === undefined ? { ...each, traceparent } : each));
    try {
      return await log.publish(traced);
    } catch (error) {
      span.fail(errorTypeOf(error));
      throw error;
    } finally {
      span.end();
    }
  };
  return { ...log, publish };
}

/** Gives messages that are published later, among others, the span within which they were made. */
export function stampMessages(tracing: Tracing | null, messages: readonly NewMessage[]): readonly NewMessage[] {
  const traceparent = tracing?.active() ?? null;
  return traceparent === null ? messages : messages.map((each) => ({ ...each, traceparent }));
}

function activeOf(tracing: Tracing): Pick<SpanOptions, "parent" | "links"> | null {
  const parent = tracing.active();
  return parent === null ? null : { parent };
}

function describe(messages: readonly NewMessage[], system: string): { name: string; attributes: Attributes } {
  const topics = new Set(messages.map(({ topic }) => topic));
  const [topic] = topics;
  const attributes = {
    "messaging.system": system,
    "messaging.operation.name": "publish",
    "messaging.operation.type": "send",
    "messaging.batch.message_count": messages.length,
  };
  if (topic === undefined || topics.size > 1) return { name: "publish", attributes };
  return { name: `publish ${topic}`, attributes: { ...attributes, "messaging.destination.name": topic } };
}
