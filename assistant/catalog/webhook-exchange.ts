import { type Dimension, type Measure, ownName, type Quantity } from "./field.ts";

/** Without attempts that timed out, which have a duration but no answer. */
const answered = { column: "response_time_ms", where: "response_status_code IS NOT NULL" } as const;

/** Measures of the response time, the same in both directions, with the phrases that ask how soon an answer came. */
export const responseTimes = (asked: readonly string[]): readonly Measure[] => [
  {
    name: "avg_response_time",
    unit: "ms",
    aggregate: { kind: "average", ...answered },
    words: [
      "average response time",
      "response time",
      "latency",
      "average latency",
      "mean response time",
      "(average/mean)? (answer/reaction) time",
      "(answer/response) speed",
      "(average)? time (to/until) (an/the)? (answer/reply/response)",
      "how long",
      ...asked,
    ],
    definition: "The mean time until the answer came, in milliseconds; requests without an answer are left out.",
  },
  ...([50, 95, 99] as const).map(
    (percent): Measure => ({
      name: `p${percent}_response_time`,
      unit: "ms",
      aggregate: { kind: "quantile", ...answered, level: percent / 100 },
      words: [
        `p${percent} response time`,
        `p${percent} latency`,
        `p${percent}`,
        `${percent}th percentile response time`,
        `${percent}th percentile latency`,
        ...(percent === 50 ? ["median response time", "median latency"] : []),
      ],
      definition: `${percent} % of the answers came at least this fast, in milliseconds.`,
    }),
  ),
  {
    name: "slowest_response_time",
    unit: "ms",
    aggregate: { kind: "highest", ...answered },
    words: [
      "slowest response time",
      "slowest response",
      "slowest answer",
      "longest response",
      "maximum response time",
      "longest response time",
      "highest response time",
    ],
    definition: "The longest time until an answer came, in milliseconds.",
  },
];

export const exchangeQuantities: readonly Quantity[] = [
  {
    name: "response_time",
    ...answered,
    unit: "ms",
    words: ["response time", "latency", "(answer/reply/reaction) time"],
    definition: "Milliseconds until the answer came; none without an answer.",
  },
  {
    name: "status_code",
    column: "response_status_code",
    unit: "number",
    words: ["status code"],
    definition: "The HTTP status of the answer; none without an answer.",
  },
];

export const httpMethods: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export const exchangeDimensions: readonly Dimension[] = [
  {
    name: "status_code",
    column: "response_status_code",
    shape: "number",
    words: [
      "status code",
      "response code",
      "http status code",
      "http",
      "http response code",
      "code",
      "http status",
      "response status",
      "http code",
      "response status code",
      "(reply/answer/http error) code",
      "http (answer/reply)",
    ],
    definition: "The HTTP status of the answer; empty when none came.",
  },
  {
    name: "method",
    column: "method",
    words: ["method", "http method"],
    definition: "The HTTP method.",
    values: httpMethods.map((value) => ({
      value,
      words: [`${value.toLowerCase()} request`],
    })),
  },
];

export const webhookName = (direction: string): Dimension => ({
  ...ownName("webhook", "webhook_config_name", [`${direction} webhook`, "webhook config", "hook"]),
  definition: "The webhook, by its name at the time.",
  apart: true,
});
