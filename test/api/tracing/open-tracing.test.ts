import { expect, onTestFinished, test, vi } from "vitest";
import { readSettings } from "../../../api/settings/settings.ts";
import { openTracing } from "../../../api/tracing/open-tracing.ts";
import { maxWaitingSpans } from "../../../api/tracing/span-export.ts";
import { openCollector } from "./collector.ts";

async function open(settings: Record<string, string>) {
  const outcomes: Record<string, number> = { exported: 0, failed: 0, dropped: 0 };
  const troubles: unknown[] = [];
  const tracing = await openTracing(readSettings(settings), {
    onSpans: (outcome, count) => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
    },
    onTrouble: (error) => troubles.push(error),
  });
  if (tracing === null) throw new Error("nothing is traced");
  onTestFinished(() => tracing.close());
  const spans = (count: number) => {
    for (let made = 0; made < count; made += 1) tracing.start("work", { kind: "internal" }).end();
  };
  return { tracing, spans, outcomes, troubles };
}

const parent = (flags: string) => `00-${"ab".repeat(16)}-${"cd".repeat(8)}-${flags}`;

test.each([
  ["no collector is set", {}],
  ["its exporter is none", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_TRACES_EXPORTER: "none" }],
  ["it is disabled", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_SDK_DISABLED: "true" }],
])("nothing is traced where %s", async (_, settings) => {
  const deps = { onSpans: vi.fn(), onTrouble: vi.fn() };
  expect(await openTracing(readSettings(settings), deps)).toBeNull();
});

test("spans go out as protobuf unless JSON is set, to the whole address where there is one", async () => {
  const collector = await openCollector();
  const { tracing, spans, outcomes } = await open({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/tenant/traces`,
  });
  spans(3);
  await tracing.close();
  expect(outcomes).toEqual({ exported: 3, failed: 0, dropped: 0 });
  expect(collector.received).toMatchObject([
    { path: "/tenant/traces", headers: { "content-type": "application/x-protobuf" } },
  ]);
  // A field of bytes or text has its length before it; the trace's name stands there as it is.
  expect(collector.received[0]?.body.includes(Buffer.from("\u0004work"))).toBe(true);
});

test.each([
  { sampler: "always_on", argument: "", kept: { root: true, recorded: true, unrecorded: true } },
  { sampler: "always_off", argument: "", kept: { root: false, recorded: false, unrecorded: false } },
  { sampler: "parentbased_always_on", argument: "", kept: { root: true, recorded: true, unrecorded: false } },
  { sampler: "parentbased_always_off", argument: "", kept: { root: false, recorded: true, unrecorded: false } },
  { sampler: "traceidratio", argument: "0", kept: { root: false, recorded: false, unrecorded: false } },
  { sampler: "parentbased_traceidratio", argument: "0.0", kept: { root: false, recorded: true, unrecorded: false } },
  { sampler: "parentbased_traceidratio", argument: "1", kept: { root: true, recorded: true, unrecorded: false } },
])("$sampler $argument decides what is recorded", async ({ sampler, argument, kept }) => {
  const { tracing } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_TRACES_SAMPLER_ARG: argument,
  });
  const isKept = (given: string | null) =>
    tracing.start("work", { kind: "internal", parent: given }).traceparent.endsWith("01");
  expect({ root: isKept(null), recorded: isKept(parent("01")), unrecorded: isKept(parent("00")) }).toEqual(kept);
});

test("what starts within a span is its child, also later, and elsewhere is not", async () => {
  const { tracing } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
  const [one, other] = [tracing.start("one", { kind: "server" }), tracing.start("other", { kind: "server" })];
  const activeLater = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return tracing.active();
  };
  const found = await Promise.all([
    tracing.within(one, activeLater),
    tracing.within(other, activeLater),
    activeLater(),
  ]);
  expect(found).toEqual([one.traceparent, other.traceparent, null]);
  const child = tracing.within(one, () => tracing.start("child", { kind: "internal" }));
  expect(child.traceparent.slice(0, 35)).toBe(one.traceparent.slice(0, 35));
  expect(one.traceparent.slice(0, 35)).not.toBe(other.traceparent.slice(0, 35));
});

test("a collector that never answers costs spans, which are counted, and a bounded stop", async () => {
  const collector = await openCollector(() => new Promise(() => undefined));
  const { tracing, spans, outcomes, troubles } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: "300",
  });
  spans(maxWaitingSpans);
  await expect.poll(() => collector.received.length).toBeGreaterThan(0);
  spans(2 * maxWaitingSpans);
  expect(outcomes["dropped"]).toBeGreaterThan(0);
  await tracing.close();
  const { exported = 0, failed = 0, dropped = 0 } = outcomes;
  expect(exported).toBe(0);
  expect(failed + dropped).toBe(3 * maxWaitingSpans);
  // Once, however many batches fail in a row.
  expect(troubles).toHaveLength(1);
});

test("a collector that refuses is told of once, and what it takes later goes out", async () => {
  let status = 400;
  const collector = await openCollector(async () => status);
  const { tracing, spans, outcomes, troubles } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  });
  spans(1100);
  await expect.poll(() => outcomes["failed"]).toBeGreaterThanOrEqual(1024);
  status = 200;
  spans(1100);
  await tracing.close();
  expect(outcomes["exported"]).toBeGreaterThanOrEqual(1100);
  expect(collector.spans).toHaveLength(outcomes["exported"] ?? 0);
  expect(troubles).toHaveLength(1);
});
