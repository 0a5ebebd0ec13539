import type { z } from "zod";
import type { Access } from "./access.ts";
import { permissionsOf } from "./areas.ts";
import { textOfField } from "./field-texts.ts";
import { createComponents, type Json } from "./openapi-schemas.ts";
import type { Operation } from "./operation.ts";
import { pascalCase, tags } from "./operation-text.ts";
import { rolesWith } from "./rights.ts";

const version = "1";
type Components = ReturnType<typeof createComponents>;

const securitySchemes = {
  api_key: "ApiKey",
  admin_key: "ApiKey",
  user: "AccessToken",
  open: null,
  signature: "CarrierSignature",
  basic: "CarrierLogin",
  svc_auth_key: "IncomingWebhookKey",
} as const;

const schemeOf = (access: Access): keyof typeof securitySchemes =>
  typeof access === "object" ? access.scheme : access;

/** Returns the scheme of an operation, with the scopes of keys or the roles of users that it takes, one of them. */
function securityOf(operation: Operation): Json[] {
  const scheme = schemeOf(operation.access);
  const name = securitySchemes[scheme];
  return name === null ? [] : [{ [name]: takenBy(operation) }];
}

function takenBy(operation: Operation): readonly string[] {
  const scheme = schemeOf(operation.access);
  if (scheme === "api_key" || scheme === "admin_key") return permissionsOf(operation);
  return scheme === "user" ? rolesWith(permissionsOf(operation)) : [];
}

/** Tells people the same. */
function describeRights(operation: Operation): { description?: string } {
  const scheme = schemeOf(operation.access);
  const taken = takenBy(operation).map((each) => `\`${each}\``);
  if (scheme === "user") return { description: `Roles: ${taken.join(", ")}.` };
  if (taken.length === 0) return {};
  return { description: `Scope: ${taken.join(", ")}${scheme === "admin_key" ? ", of an admin key" : ""}.` };
}

const errorNames = {
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
type ErrorStatus = keyof typeof errorNames;

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

/** An event that outgoing webhooks are told of. */
export interface DescribedEvent {
  readonly id: string;
  readonly description: string;
}

/** Creates the OpenAPI 3.1 document from the operations' zod schemas. */
export function toOpenApi(operations: readonly Operation[], events: readonly DescribedEvent[]): Json {
  const paths: Record<string, Json> = {};
  const components = createComponents(textOfField);
  for (const operation of operations) {
    const described = describeOperation(components, operation);
    paths[operation.path] = { ...paths[operation.path], [operation.method]: described };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Trunkline",
      version,
      description:
        "Pay-per-call routing with analytics first: configuration, histories, telephony and questions in plain words.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This installation." }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries(events.map((event) => [event.id, { post: describeWebhook(event) }])),
    components: {
      securitySchemes: {
        ApiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "An organization's API key." },
        AccessToken: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "A user's access token." },
        CarrierSignature: {
          type: "apiKey",
          in: "header",
          name: "X-Twilio-Signature",
          description: "The carrier's signature of the address and the form.",
        },
        IncomingWebhookKey: {
          type: "apiKey",
          in: "query",
          name: "svc_auth_key",
          description: "The auth_key of an incoming webhook.",
        },
        CarrierLogin: { type: "http", scheme: "basic", description: "The switch's user name and password." },
      },
      headers: headerParts,
      schemas: { Error: errorSchema, ValidationError: validationErrorSchema, ...components.schemas },
      responses: Object.fromEntries(
        Object.keys(errorNames).map((status) => describeError(Number(status) as ErrorStatus)),
      ),
    },
  };
}

const errorSchema = {
  type: "object",
  required: ["detail"],
  properties: {
    detail: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "string" }, message: { type: "string" } },
    },
  },
};

const validationErrorSchema = {
  type: "object",
  required: ["detail"],
  properties: {
    detail: {
      type: "array",
      items: {
        type: "object",
        required: ["loc", "msg", "type"],
        properties: {
          loc: { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
          msg: { type: "string" },
          type: { type: "string" },
          input: {},
          ctx: { type: "object" },
        },
      },
    },
  },
};

const jsonOf = (schema: Json): Json => ({ "application/json": { schema } });
const bodyTypes = { json: "application/json", form: "application/x-www-form-urlencoded" } as const;
const answerTypes = {
  json: ["application/json"],
  xml: ["text/xml"],
  file: ["text/csv", "application/x-ndjson", "application/vnd.apache.parquet"],
} as const;
const refTo = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

const wholeNumber = { type: "integer" };
const headerParts = {
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
const requestIdHeader = { "X-Request-Id": refTo("headers", "RequestId") };
const rateLimitHeaders = {
  "X-RateLimit-Limit": refTo("headers", "RateLimit"),
  "X-RateLimit-Remaining": refTo("headers", "RateLimitRemaining"),
  "X-RateLimit-Reset": refTo("headers", "RateLimitReset"),
};

function describeError(status: ErrorStatus): [string, Json] {
  const content = jsonOf(refTo("schemas", status === 422 ? "ValidationError" : "Error"));
  const retry = status === 429 || status === 503 ? { "Retry-After": refTo("headers", "RetryAfter") } : {};
  const headers = { ...requestIdHeader, ...(status === 429 ? rateLimitHeaders : {}), ...retry };
  return [errorNames[status], { description: errorMeanings[status], headers, content }];
}

function describeOperation(components: Components, operation: Operation): Json {
  const { name, tag, summary, body, bodyOptional, example, status, answer, answerExample } = operation;
  const { bodyType = "json", answerType = "json" } = operation;
  const answered = {
    schema: components.refer(answer, "answer", `${pascalCase(name)}Response`),
    ...(answerExample === undefined ? {} : { example: answerExample }),
  };
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...describeRights(operation),
    security: securityOf(operation),
    parameters: [
      ...parametersOf(components, operation.params, "path"),
      ...parametersOf(components, operation.query, "query"),
    ],
    ...(body && {
      requestBody: {
        required: bodyOptional !== true,
        content: {
          [bodyTypes[bodyType]]: {
            schema: components.refer(body, "body", `${pascalCase(name)}Request`),
            ...(example === undefined ? {} : { example }),
          },
        },
      },
    }),
    responses: {
      [status]: {
        description: status === 201 ? "Created." : "Done.",
        headers: headersOf(operation),
        content: {
          ...Object.fromEntries(answerTypes[answerType].map((type) => [type, answered])),
          ...(operation.tellsProgress === true ? { "text/event-stream": { schema: { type: "string" } } } : {}),
        },
      },
      ...Object.fromEntries(errorsOf(operation).map((each) => [each, refTo("responses", errorNames[each])])),
    },
  };
}

/** A request to a customer's system: its method, headers and body are what its outgoing webhook says. */
const describeWebhook = ({ id, description }: DescribedEvent): Json => ({
  operationId: id.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
  tags: ["Outgoing webhooks"],
  summary: description,
  description:
    "Sent by the outgoing webhooks of this event whose campaign, target or RTB formula names them. Method, headers and body are those of the webhook, its [TAG_NAME]s replaced by the call's data; a tag that has no value yet stays as it is. A signed webhook's requests have the headers of Standard Webhooks.",
  requestBody: {
    content: {
      "application/json": {
        schema: { type: "object", description: "The webhook's own body.", additionalProperties: true },
        example: { call_id: "01a20956-a4e2-706b-917e-60fbb4e130f7", event: id, caller: "+12125550123", revenue: 30 },
      },
    },
  },
  security: [],
  responses: {
    "2XX": { description: "Taken. Anything else, and no answer in 10 seconds, is a failure; most are tried again." },
  },
});

function headersOf({ access, limit, apart, body }: Operation): Json {
  const tellsIgnored = typeof access !== "object" && !apart;
  return {
    ...requestIdHeader,
    ...(limit === "none" ? {} : rateLimitHeaders),
    ...(tellsIgnored ? { "X-Ignored-Parameters": refTo("headers", "IgnoredParameters") } : {}),
    ...(tellsIgnored && body ? { "X-Ignored-Fields": refTo("headers", "IgnoredFields") } : {}),
  };
}

/** The error statuses that every operation of its kind can have, and the operation's own. */
function errorsOf({ access, limit, body, query, params, errors = [] }: Operation): ErrorStatus[] {
  const statuses = new Set<ErrorStatus>(errors);
  const scheme = schemeOf(access);
  if (scheme !== "open" && scheme !== "signature") statuses.add(401);
  if (scheme !== "open" && scheme !== "basic" && scheme !== "svc_auth_key") statuses.add(403);
  if (limit !== "none") statuses.add(429);
  // The config database may be unreachable; path parameters may be invalid percent-encoding.
  if (scheme === "api_key" || scheme === "admin_key") statuses.add(503);
  if (params) statuses.add(400);
  if (body || query || params) statuses.add(422);
  if (body) statuses.add(413);
  return [...statuses].sort();
}

function parametersOf(components: Components, schema: z.ZodObject | undefined, where: "path" | "query"): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = components.convert(schema, "parameters") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: property,
  }));
}
