import { z } from "zod";
import { count, flag } from "./value-types.ts";

const httpUrl = z.url({ protocol: /^https?$/ });

/** `name=value` by commas, each percent-encoded, as OpenTelemetry's variables have it. */
const pairs = z
  .string()
  .regex(/^\s*$|^\s*[^=,\s]+\s*=[^,]*(,\s*[^=,\s]+\s*=[^,]*)*,?\s*$/, "must be name=value, several by commas")
  .transform((text, context) => {
    try {
      return Object.fromEntries(text.split(",").flatMap((pair) => (pair.trim() === "" ? [] : [toPair(pair)])));
    } catch {
      context.addIssue({ code: "custom", message: "has a value whose percent-encoding is broken" });
      return z.NEVER;
    }
  });

function toPair(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [decodeURIComponent(pair.slice(0, at).trim()), decodeURIComponent(pair.slice(at + 1).trim())];
}

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** Settings of traces, by the names that OpenTelemetry has for them. */
export const tracingFields = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe(
      "Collector that traces are sent to by OTLP over HTTP, such as http://localhost:4318; /v1/traces follows by itself. Without it, nothing is traced.",
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl
    .optional()
    .describe("The whole address for traces, where that is another one."),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(["http/protobuf", "http/json"])
    .default("http/protobuf")
    .describe("Encoding of what is sent to the collector. There is no grpc."),
  OTEL_EXPORTER_OTLP_HEADERS: pairs
    .optional()
    .describe("Headers that the collector asks for, such as api-key=…; several by commas, values percent-encoded."),
  OTEL_EXPORTER_OTLP_TIMEOUT: count(1, 300_000)
    .default(10_000)
    .describe("Milliseconds that the collector may take for one batch."),
  OTEL_SERVICE_NAME: z.string().default("trunkline").describe("Name of this service in its traces."),
  OTEL_RESOURCE_ATTRIBUTES: pairs
    .optional()
    .describe("More attributes of every span, such as deployment.environment.name=production; several by commas."),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers)
    .default("parentbased_always_on")
    .describe(
      "Which traces are recorded. Those that begin with parentbased_ follow what the caller's traceparent says, where a request has one.",
    ),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, "must be a number from 0 to 1")
    .transform(Number)
    .optional()
    .describe("Share of traces that traceidratio and parentbased_traceidratio record, from 0 to 1; 1 by default."),
  OTEL_TRACES_EXPORTER: z
    .enum(["otlp", "none"])
    .default("otlp")
    .describe("none: nothing is traced, whatever else is set, such as by what starts all services of a cluster."),
  OTEL_SDK_DISABLED: flag.default(false).describe("Whether nothing is traced, likewise."),
};
