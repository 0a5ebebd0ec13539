import type { Json } from "./openapi-schemas.ts";

export const errorNames = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  413: "BodyTooLarge",
  422: "ValidationError",
  429: "TooManyRequests",
  503: "Unavailable",
} as const;
export type ErrorStatus = keyof typeof errorNames;

const errorMeanings: Readonly<Record<ErrorStatus, string>> = {
  400: "Well-formed, but contradictory in itself, or a path that is no valid percent-encoding.",
  401: "The key or token is missing or not valid.",
  403: "The key or the user may not do this (`insufficient_scope` beyond the scopes of a key, `address_not_allowed` outside its address ranges), or the signature is not the carrier's; `read_only` where fixtures are served.",
  404: "There is no such row in your organization.",
  409: "It contradicts what is there.",
  413: "The body is larger than this server accepts.",
  422: "The request cannot be understood; `loc` says where.",
  429: "More requests than allowed; `Retry-After` says when to try again.",
  503: "A store cannot be reached now, or more comes than can be answered in time; try again in a moment.",
};

const errorExamples: Readonly<Record<ErrorStatus, Json>> = {
  400: toError("bad_request", "The path is not valid percent-encoding."),
  401: toError("unauthorized", "X-API-Key is missing."),
  403: toError("forbidden", "This needs an admin key of your organization."),
  404: toError("not_found", "The target 7d0c2b9e was not found."),
  409: toError("conflict", "The buyer 7d0c2b9e is in use: the target 4f1a8c33 names it."),
  413: toError("body_too_large", "The body is larger than this server accepts."),
  422: { detail: [{ loc: ["body", "name"], msg: "must be text, not 5", type: "string_type", input: 5 }] },
  429: toError("rate_limited", "More than 120 requests in a minute: try again in 12 s."),
  503: toError("config_unavailable", "The config database cannot be reached now."),
};

function toError(code: string, message: string): Json {
  return { detail: { code, message } };
}

const errorSchema = {
  type: "object",
  description: "An answer that says no.",
  required: ["detail"],
  properties: {
    detail: {
      type: "object",
      description: "What was wrong.",
      required: ["code", "message"],
      properties: {
        code: { type: "string", description: "The error, lower_snake and stable: what programs compare." },
        message: { type: "string", description: "The error in words." },
      },
    },
  },
};

const validationErrorSchema = {
  type: "object",
  description: "An answer to a request that cannot be understood.",
  required: ["detail"],
  properties: {
    detail: {
      type: "array",
      description: "Each fault of the request.",
      items: {
        type: "object",
        required: ["loc", "msg", "type"],
        properties: {
          loc: {
            type: "array",
            description: "Where it is: `body`, `query` or `path`, then the names and places that lead there.",
            items: { anyOf: [{ type: "string" }, { type: "integer" }] },
          },
          msg: { type: "string", description: "What is wrong, in words." },
          type: { type: "string", description: "The kind of fault, lower_snake and stable." },
          input: { description: "What was sent there." },
          ctx: { type: "object", additionalProperties: true, description: "What would have been taken." },
        },
      },
    },
  },
};

export const errorSchemas = { Error: errorSchema, ValidationError: validationErrorSchema };

export const refTo = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

const wholeNumber = { type: "integer" };
export const headerParts = {
  RequestId: {
    description: "The request's own X-Request-Id, or one that was made for it.",
    schema: { type: "string" },
  },
  IgnoredParameters: {
    description: 'Query parameters that are not known here and were ignored, such as "cal_id";did-you-mean="call_id".',
    schema: { type: "string" },
  },
  IgnoredFields: {
    description: 'Fields of the body that are not known here and were ignored, such as "nmae";did-you-mean="name".',
    schema: { type: "string" },
  },
  RetryAfter: { description: "Seconds until it is worth trying again.", schema: wholeNumber },
  RateLimit: { description: "Requests that a minute takes.", schema: wholeNumber },
  RateLimitRemaining: { description: "Requests that are left of them.", schema: wholeNumber },
  RateLimitReset: { description: "Seconds until it begins anew.", schema: wholeNumber },
};
export const requestIdHeader = { "X-Request-Id": refTo("headers", "RequestId") };
export const rateLimitHeaders = {
  "X-RateLimit-Limit": refTo("headers", "RateLimit"),
  "X-RateLimit-Remaining": refTo("headers", "RateLimitRemaining"),
  "X-RateLimit-Reset": refTo("headers", "RateLimitReset"),
};

function describeError(status: ErrorStatus): [string, Json] {
  const schema = refTo("schemas", status === 422 ? "ValidationError" : "Error");
  const content = { "application/json": { schema, example: errorExamples[status] } };
  const retry = status === 429 || status === 503 ? { "Retry-After": refTo("headers", "RetryAfter") } : {};
  const headers = { ...requestIdHeader, ...(status === 429 ? rateLimitHeaders : {}), ...retry };
  return [errorNames[status], { description: errorMeanings[status], headers, content }];
}

/** The answers that say no, by their names. */
export const errorResponses = (): Json =>
  Object.fromEntries(Object.keys(errorNames).map((status) => describeError(Number(status) as ErrorStatus)));
