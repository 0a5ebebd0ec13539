import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Context, Span as OtelSpan, SpanContext, SpanKind } from "@opentelemetry/api";
import type { Sampler } from "@opentelemetry/sdk-trace";
import { parseTraceparent, type Span, type SpanOptions, type Tracing } from "../../ingest/tracing.ts";
import type { Settings } from "../settings/settings.ts";
import { createSpanExport, maxWaitingSpans, type SpanExportDeps } from "./span-export.ts";

export interface OpenTracing extends Tracing {
  /** Sends what waits, for as long as the shutdown has time. */
  close(): Promise<void>;
}

/** Spans that are left after this long are given up: a collector that is away must not hold up a stop. */
const closeWithinMs = 5_000;

/** Opens the export of traces by OpenTelemetry; null, and nothing is loaded, where the settings name no collector. */
export async function openTracing(
  settings: Settings,
  deps: Pick<SpanExportDeps, "onSpans" | "onTrouble">,
): Promise<OpenTracing | null> {
  const url = tracesUrl(settings);
  if (url === null || settings.OTEL_SDK_DISABLED || settings.OTEL_TRACES_EXPORTER === "none") return null;
  const [api, { BatchSpanProcessor, TracerProvider }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/resources"),
  ]);
  const { OTLPTraceExporter } =
    settings.OTEL_EXPORTER_OTLP_PROTOCOL === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  const exporter = new OTLPTraceExporter({
    url,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMillis: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "host.name": hostname(),
      "process.pid": process.pid,
      "service.instance.id": randomUUID(),
      "trunkline.roles": settings.ROLES,
      ...settings.OTEL_RESOURCE_ATTRIBUTES,
      "service.name": settings.OTEL_SERVICE_NAME,
    }),
    sampler: await openSampler(settings),
    spanProcessors: [
      createSpanExport({
        ...deps,
        exporter,
        batch: (given) => new BatchSpanProcessor({ exporter: given, maxQueueSize: maxWaitingSpans }),
      }),
    ],
  });
  const tracer = provider.getTracer("trunkline");
  const { trace, ROOT_CONTEXT, SpanStatusCode } = api;
  // Not the SDK's global context: several platforms may run in one process, each with traces of its own.
  const current = new AsyncLocalStorage<{ readonly context: Context; readonly traceparent: string }>();
  const contexts = new WeakMap<Span, Context>();

  const parentOf = ({ parent }: SpanOptions): Context => {
    if (parent === undefined) return current.getStore()?.context ?? ROOT_CONTEXT;
    const known = parent === null ? null : toSpanContext(parent);
    return known === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, known);
  };

  return {
    start(name, options) {
      const { kind, links = [], startedAt, attributes = {} } = options;
      const parent = parentOf(options);
      const opened = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          attributes,
          links: links.flatMap((each) => {
            const context = toSpanContext(each);
            return context === null ? [] : [{ context }];
          }),
          ...(startedAt === undefined ? {} : { startTime: new Date(startedAt) }),
        },
        parent,
      );
      const span = toSpan(opened, SpanStatusCode.ERROR);
      contexts.set(span, trace.setSpan(parent, opened));
      return span;
    },
    within(span, work) {
      const context = contexts.get(span) ?? ROOT_CONTEXT;
      return current.run({ context, traceparent: span.traceparent }, work);
    },
    active: () => current.getStore()?.traceparent ?? null,
    async close() {
      const given = new AbortController();
      const { setTimeout: sleep } = await import("node:timers/promises");
      const late = sleep(closeWithinMs, null, { signal: given.signal }).catch(() => undefined);
      await Promise.race([provider.shutdown(), late]);
      given.abort();
    },
  };
}

/** OpenTelemetry's rule: the general address is completed by the signal's path, the one for traces is taken as it is. */
function tracesUrl(settings: Settings): string | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = settings;
  return whole ?? (endpoint === undefined ? null : `${endpoint.replace(/\/+$/, "")}/v1/traces`);
}

async function openSampler(settings: Settings): Promise<Sampler> {
  const { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } = await import(
    "@opentelemetry/sdk-trace"
  );
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share = 1 } = settings;
  const root = name.endsWith("always_on")
    ? new AlwaysOnSampler()
    : name.endsWith("always_off")
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(share);
  return name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

/** The API's enum, whose values the OTLP exporter knows. */
const kinds: Readonly<Record<SpanOptions["kind"], SpanKind>> = {
  internal: 0,
  server: 1,
  client: 2,
  producer: 3,
  consumer: 4,
};

function toSpanContext(traceparent: string): SpanContext | null {
  const [, traceId, spanId, flags] = parseTraceparent(traceparent)?.split("-") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

function toSpan(span: OtelSpan, error: number): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
    set(attributes, name) {
      span.setAttributes(attributes);
      if (name !== undefined) span.updateName(name);
    },
    fail(type) {
      span.setAttribute("error.type", type);
      span.setStatus({ code: error });
    },
    end: (at) => span.end(at === undefined ? undefined : new Date(at)),
  };
}
