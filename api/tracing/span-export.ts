import type { ReadableSpan, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";

/** Spans that wait for the collector, at most; later ones are dropped meanwhile. */
export const maxWaitingSpans = 4096;

export type SpanOutcome = "exported" | "failed" | "dropped";

export interface SpanExportDeps {
  /** Sends spans to a collector. */
  readonly exporter: SpanExporter;
  /** Makes batches of spans for an exporter. */
  batch(exporter: SpanExporter): SpanProcessor;
  /** Called with the number of spans that were exported, that could not be, or for which there was no room. */
  onSpans(outcome: SpanOutcome, count: number): void;
  /** Called with the error of an export where the one before had not failed. */
  onTrouble(error: unknown): void;
}

/** The SDK's `ExportResultCode.SUCCESS`. */
const success = 0;

/**
 * A processor that counts what becomes of spans. A collector that is slow or away costs the platform a bounded queue and
 * spans, never time: they are handed over in batches behind the work that they tell of.
 */
export function createSpanExport({ exporter, batch, onSpans, onTrouble }: SpanExportDeps): SpanProcessor {
  const exporting = new Set<Promise<void>>();
  let waiting = 0;
  let isTroubled = false;

  const counted: SpanExporter = {
    export(spans, onResult) {
      waiting -= spans.length;
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      }).finally(() => exporting.delete(ended));
      exporting.add(ended);
      exporter.export(spans, (result) => {
        end();
        const isExported = result.code === success;
        onSpans(isExported ? "exported" : "failed", spans.length);
        if (!isExported && !isTroubled) onTrouble(result.error ?? new Error("The collector did not take the spans."));
        isTroubled = !isExported;
        onResult(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
  const batches = batch(counted);

  return {
    onStart: () => undefined,
    onEnd(span: ReadableSpan) {
      if ((span.spanContext().traceFlags & 1) === 0) return;
      if (waiting >= maxWaitingSpans) return onSpans("dropped", 1);
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    async shutdown() {
      // It rejects with the first batch that fails, which is counted already; other batches may succeed.
      await batches.shutdown().catch(() => undefined);
      await Promise.all(exporting);
    },
  };
}
