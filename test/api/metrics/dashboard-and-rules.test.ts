import { readFileSync } from "node:fs";
import { type Counter, collectDefaultMetrics, type Gauge, type Histogram, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { createMetrics } from "../../../api/metrics/metrics.ts";
import { systemClock } from "../../../ingest/clock.ts";
import { deliveryOutcomes } from "../../../ingest/delivery.ts";
import { topics } from "../../../ingest/log/log.ts";
import { inboundOutcomes } from "../../../ingest/rtb.ts";

const read = (name: string) => readFileSync(new URL(`../../../api/metrics/${name}`, import.meta.url), "utf8");

/** The series of a process by name, each with its labels; a histogram has three names. */
const series: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const processes = new Registry();
  collectDefaultMetrics({ register: processes });
  const all = [createMetrics(systemClock).registry, processes].flatMap((registry) => registry.getMetricsAsArray());
  // Prometheus itself adds the labels of a target, and `up`.
  const names = new Map([["up", new Set(["job", "instance"])]]);
  for (const metric of all) {
    const { name, labelNames } = metric as unknown as (Counter | Gauge | Histogram) & {
      readonly name: string;
      readonly labelNames: readonly string[];
    };
    const labels = ["job", "instance", ...labelNames];
    if (String(metric.type) !== "histogram") names.set(name, new Set(labels));
    else {
      for (const end of ["_count", "_sum"]) names.set(`${name}${end}`, new Set(labels));
      names.set(`${name}_bucket`, new Set([...labels, "le"]));
    }
  }
  processes.clear();
  return names;
})();

/** Values of labels that come from a list in code. */
const values: Readonly<Record<string, readonly string[]>> = {
  "trunkline_deliveries_total outcome": deliveryOutcomes,
  "trunkline_pings_total outcome": [...inboundOutcomes, "shed"],
  "trunkline_loader_messages_total fate": ["stored", "duplicate", "dead_lettered"],
  "trunkline_loader_messages_total topic": topics,
  "trunkline_lifecycle_signals_total fate": ["dead_lettered", "taken", "rekeyed", "held"],
  "trunkline_trace_spans_total outcome": ["exported", "failed", "dropped"],
  "trunkline_http_request_seconds_count status": ["2xx", "3xx", "4xx", "5xx"],
};

/** What of PromQL is no name of a series. */
const words = new Set(
  "sum max min topk rate increase histogram_quantile label_values by and or unless on ignoring".split(" "),
);

/** Returns what an expression names that no process tells: series, labels of these, values of labels. */
function faultsOf(expression: string): string[] {
  const faults: string[] = [];
  const used = new Set<string>();
  for (const [, name = "", matchers = ""] of expression.matchAll(
    /([a-zA-Z_:][\w:]*)\s*(?:\{((?:[^"}]|"[^"]*")*)\})/g,
  )) {
    for (const [, label = "", operator = "", value = ""] of matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)) {
      if (!series.get(name)?.has(label)) faults.push(`${name} has no label ${label}`);
      const known = values[`${name} ${label}`];
      const given = operator.endsWith("~") ? value.split("|") : [value];
      for (const each of given) if (known?.includes(each) === false) faults.push(`${name} has no ${label} ${each}`);
    }
  }
  const bare = expression
    .replaceAll(/\{(?:[^"}]|"[^"]*")*\}/g, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .replaceAll(/\b\d[\w.]*/g, "");
  const others: string[] = [];
  for (const [word] of bare.matchAll(/[a-zA-Z_:][\w:]*/g)) {
    if (series.has(word)) used.add(word);
    else if (!words.has(word)) others.push(word);
  }
  if (used.size === 0) faults.push(`${expression} names no series`);
  const labels = new Set([...used].flatMap((name) => [...(series.get(name) ?? [])]));
  for (const word of others) if (!labels.has(word)) faults.push(`${word} is neither a series nor a label of one`);
  return faults;
}

/** Returns the labels that a text names and that the expression's result does not have. */
function missingLabels(text: string, expression: string): string[] {
  const [, list] =
    /^\s*(?:topk\(\d+, |histogram_quantile\([\d.]+, )*(?:sum|max|min) by \(([^)]*)\)/.exec(expression) ?? [];
  const kept = list?.split(/,\s*/).filter((label) => label !== "le");
  const [plain = ""] = expression.match(/^[a-z_:\d]+/) ?? [];
  const labels = new Set(kept ?? series.get(plain) ?? []);
  return [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)]
    .map(([, label = ""]) => label)
    .filter((label) => !labels.has(label));
}

const target = z.object({ expr: z.string(), legendFormat: z.string() });
const dashboard = z
  .object({
    panels: z.array(z.object({ title: z.string(), targets: z.array(target).optional() })),
    templating: z.object({ list: z.array(z.object({ type: z.string(), query: z.string() })) }),
  })
  .parse(JSON.parse(read("grafana-dashboard.json")));
const rule = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.object({ severity: z.enum(["warning", "critical"]) }),
  annotations: z.object({ summary: z.string(), description: z.string() }),
});
const rules = z
  .object({ groups: z.array(z.object({ rules: z.array(rule) })) })
  .parse(parse(read("alert-rules.yaml")))
  .groups.flatMap((group) => group.rules);
const targets = dashboard.panels.flatMap(({ title, targets: all = [] }) => all.map((each) => ({ title, ...each })));

describe("the dashboard", () => {
  it.each(targets)("names only what a process tells: $title, $legendFormat", ({ expr, legendFormat }) => {
    expect([...faultsOf(expr), ...missingLabels(legendFormat, expr)]).toEqual([]);
  });

  it("offers the jobs and processes that there are", () => {
    const queries = dashboard.templating.list.filter(({ type }) => type === "query").map(({ query }) => query);
    expect(queries).toHaveLength(2);
    expect(queries.flatMap(faultsOf)).toEqual([]);
  });

  it("shows every metric of the platform that has no other as its parts", () => {
    const shown = targets.map(({ expr }) => expr).join("\n");
    const parts = ["loader_consumed_messages", "assistant_model_(fallbacks|requests|repairs|tokens|summaries)"];
    const left = [...series.keys()].filter(
      (name) => name.startsWith("trunkline_") && !/_(sum|count|bucket)$/.test(name) && !shown.includes(name),
    );
    expect(left.filter((name) => !parts.some((part) => new RegExp(`^trunkline_${part}_total$`).test(name)))).toEqual(
      [],
    );
  });
});

it.each(rules)("the alert $alert names only what a process tells", ({ expr, annotations }) => {
  const texts = `${annotations.summary} ${annotations.description}`;
  expect([...faultsOf(expr), ...missingLabels(texts, expr)]).toEqual([]);
});

it.each([
  ["sum(rate(trunkline_delivered_total[5m]))", "trunkline_delivered_total is neither a series nor a label of one"],
  ["sum(rate(trunkline_http_request_seconds[5m]))", "trunkline_http_request_seconds is neither"],
  ['sum(rate(trunkline_pings_total{result="shed"}[5m]))', "trunkline_pings_total has no label result"],
  ['sum(trunkline_pings_total{outcome=~"routes|shedding"})', "trunkline_pings_total has no outcome shedding"],
  ["sum by (topic) (trunkline_pings_total)", "topic is neither a series nor a label of one"],
  ['up{role="api"} == 0', "up has no label role"],
])("an expression that names something else is found: %s", (expression, fault) => {
  expect(faultsOf(expression)).toContainEqual(expect.stringContaining(fault));
});

it("a legend that names a label which is summed away is found", () => {
  expect(missingLabels("{{outcome}} of {{topic}}", "sum by (topic) (x)")).toEqual(["outcome"]);
  expect(missingLabels("{{ $labels.instance }}", "sum(trunkline_pings_total)")).toEqual(["instance"]);
});
