import type { Prices } from "../../assistant/planning.ts";
import type { Clock } from "../../ingest/clock.ts";
import { createInstruments } from "./instruments.ts";
import { logMetrics } from "./log-metrics.ts";
import { modelMetrics } from "./model-metrics.ts";
import { organizationMetrics } from "./organization-metrics.ts";
import { pingMetrics } from "./ping-metrics.ts";

/**
 * The metrics of one process, for Prometheus. Labels come from closed lists in code: neither names nor numbers of
 * customers' things appear in them, but for the metrics by organization, which have a registry of their own.
 */
export function createMetrics(clock: Pick<Clock, "now">, prices: Prices | null = null) {
  const instruments = createInstruments(clock);
  const { counter, seconds } = instruments;
  const deliveries = counter("deliveries_total", "Attempts at outgoing webhooks.", ["outcome"]);
  const deliverySeconds = seconds("delivery_seconds", "How long receivers took.", {});
  const incomingRefused = counter(
    "incoming_webhooks_refused_total",
    "Requests of incoming webhooks that were refused without a record: without a valid key, or beyond the rate limit.",
    ["reason"],
  );
  const failedSignIns = counter(
    "failed_sign_ins_total",
    "Requests whose key, token, password or signature was wrong, by how they sign in.",
    ["scheme"],
  );
  const refusedKeys = counter(
    "api_keys_refused_total",
    "Requests with a valid API key that was used beyond its scopes or from outside its address ranges.",
    ["reason"],
  );
  const unreadableRows = counter(
    "unreadable_rows_total",
    "Rows that this process could not read and goes on without.",
    ["table"],
  );
  const scheduleRuns = counter("schedule_runs_total", "Runs of scheduled answers and alerts, by how they ended.", [
    "result",
  ]);
  const spans = counter("trace_spans_total", "Spans of traces, by whether the collector took them.", ["outcome"]);
  const http = seconds("http_request_seconds", "Answers, by operation and class of status.", {
    labelNames: ["operation", "status"],
  });

  return {
    registry: instruments.registry,
    ...logMetrics(instruments),
    ...modelMetrics(instruments, prices),
    ...organizationMetrics(),
    ...pingMetrics(instruments),
    delivered(outcome: string, elapsedMs: number): void {
      deliveries.inc({ outcome });
      deliverySeconds.observe(elapsedMs / 1000);
    },
    signInFailed: (scheme: string): void => failedSignIns.inc({ scheme }),
    keyRefused: (reason: "scope" | "address"): void => refusedKeys.inc({ reason }),
    incomingRefused: (reason: "key" | "rate_limit"): void => incomingRefused.inc({ reason }),
    scheduleRun: (result: string): void => scheduleRuns.inc({ result }),
    spans: (outcome: string, count: number): void => spans.inc({ outcome }, count),
    unreadable: (table: string): void => unreadableRows.inc({ table }),
    answered(operation: string, status: number, elapsedMs: number): void {
      http.observe({ operation, status: `${Math.floor(status / 100)}xx` }, elapsedMs / 1000);
    },
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
