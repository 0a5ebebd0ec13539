/** Values of a span's attributes. Neither callers' numbers nor keys, and nothing of what customers sent, are among them. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind: "internal" | "server" | "client" | "producer" | "consumer";
  /** The traceparent of its parent; null for none. Default: the span within which it starts. */
  readonly parent?: string | null;
  /** The traceparents of spans that caused it where it has no single parent. */
  readonly links?: readonly string[];
  /** Milliseconds since 1970. Default: now. */
  readonly startedAt?: number;
  readonly attributes?: Attributes;
}

/** A piece of work in a distributed trace. */
export interface Span {
  /** Its place in its trace, as W3C Trace Context writes it: what it causes elsewhere names it as the parent. */
  readonly traceparent: string;
  /** Sets attributes; with a name, renames the span. */
  set(attributes: Attributes, name?: string): void;
  /** Marks it as failed: by a status, a code or a class of errors, never by an error's text. */
  fail(type: string): void;
  /** Ends it, now or at a time in milliseconds since 1970. */
  end(at?: number): void;
}

/** Tells a tracing backend what this process does. A process without one has null in its place. */
export interface Tracing {
  start(name: string, options: SpanOptions): Span;
  /** Runs work within a span: what starts in it, also later, is its child. */
  within<T>(span: Span, work: () => T): T;
  /** The traceparent of the span within which the caller runs; null outside of all. */
  active(): string | null;
}

/** Returns the code or the name of an error, which say what failed without its text. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return "_OTHER";
  const { code, name }: Error & { readonly code?: unknown } = error;
  return typeof code === "string" ? code : name;
}

/** Runs work within a span that ends with it; the work itself where nothing is traced. */
export async function inSpan<T>(
  tracing: Tracing | null,
  start: { readonly name: string } & SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (tracing === null) return work(null);
  const span = tracing.start(start.name, start);
  try {
    return await tracing.within(span, () => work(span));
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Links of one span, at most: as many as the SDK keeps. */
const maxLinks = 128;

/**
 * Returns what caused the work on several messages: their one parent, or links to each. Traces that are not recorded are
 * left out where messages have different ones; null where no message is part of a trace.
 */
export function causesOf(
  messages: readonly { readonly traceparent?: string | undefined }[],
): Pick<SpanOptions, "parent" | "links"> | null {
  const causes = new Set<string>();
  for (const { traceparent } of messages) {
    if (traceparent !== undefined) causes.add(traceparent);
    if (causes.size > maxLinks) break;
  }
  const [first] = causes;
  if (first === undefined) return null;
  if (causes.size === 1) return { parent: first };
  const recorded = [...causes].filter(isSampled).slice(0, maxLinks);
  return recorded.length === 0 ? null : { parent: null, links: recorded };
}

const isSampled = (traceparent: string): boolean => (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;

const pattern = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Reads a traceparent that others sent, of this version or a later one; undefined where it is none. */
export function parseTraceparent(text: unknown): string | undefined {
  if (typeof text !== "string" || text.length > 512) return undefined;
  const [, version, traceId, spanId, flags, more] = pattern.exec(text) ?? [];
  if (version === undefined || (version === "00" && more !== undefined)) return undefined;
  return `00-${traceId}-${spanId}-${flags}`;
}
