import type { z } from "zod";
import type { Access } from "./access.ts";
import { answerExampleOf } from "./answer-examples.ts";
import { permissionsOf } from "./areas.ts";
import { schemaTexts, textOfField } from "./field-texts.ts";
import {
  type ErrorStatus,
  errorNames,
  errorResponses,
  errorSchemas,
  headerParts,
  rateLimitHeaders,
  refTo,
  requestIdHeader,
} from "./openapi-answers.ts";
import { createComponents, type Json } from "./openapi-schemas.ts";
import type { LimitGroup, Operation } from "./operation.ts";
import { pascalCase, shortSummary, tags } from "./operation-text.ts";
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

const credentials = {
  api_key: "Needs an organization's API key.",
  admin_key: "Needs an organization's API key that may manage keys.",
  user: "Needs a user's access token.",
  open: "Needs no credentials.",
  signature: "Needs the carrier's signature.",
  basic: "Needs the switch's user name and password.",
  svc_auth_key: "Needs the key of an incoming webhook.",
} as const;

const limitedBy = (setting: string): string => `Requests of an organization in a minute: \`${setting}\` at most.`;
const limits: Readonly<Record<LimitGroup, string>> = {
  api: limitedBy("API_RATE_LIMIT_PER_MIN"),
  assistant: limitedBy("ASSISTANT_RATE_LIMIT_PER_MIN"),
  webhooks: limitedBy("WEBHOOK_RATE_LIMIT_PER_MIN"),
  rtb: limitedBy("RTB_RATE_LIMIT_PER_MIN"),
  none: "",
};

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

/** Tells people the same, and the limit. */
function describeRights(operation: Operation): string {
  const scheme = schemeOf(operation.access);
  const taken = takenBy(operation).map((each) => `\`${each}\``);
  const rights = taken.length === 0 ? "" : `${scheme === "user" ? "Roles" : "Scope"}: ${taken.join(", ")}.`;
  return [credentials[scheme], rights, limits[operation.limit]].filter((each) => each !== "").join(" ");
}

/** An event that outgoing webhooks are told of. */
export interface DescribedEvent {
  readonly id: string;
  readonly description: string;
}

/** Creates the OpenAPI 3.1 document from the operations' zod schemas; `publicUrl` is the installation's own address. */
export function toOpenApi(
  operations: readonly Operation[],
  events: readonly DescribedEvent[],
  { publicUrl }: { readonly publicUrl?: string | undefined } = {},
): Json {
  const paths: Record<string, Json> = {};
  const components = createComponents(textOfField, schemaTexts);
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
        "Pay-per-call routing with analytics first: configuration, histories, telephony and questions in plain words.\n\nThe usual tasks, step by step with curl and in TypeScript: [guides](/docs/guides/).",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      ...(publicUrl === undefined ? [] : [{ url: publicUrl, description: "This installation." }]),
      {
        url: "/",
        description: publicUrl === undefined ? "This installation." : "The address that this document is at.",
      },
    ],
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
      schemas: { ...errorSchemas, ...components.schemas },
      responses: errorResponses(),
    },
  };
}

const bodyTypes = { json: "application/json", form: "application/x-www-form-urlencoded" } as const;
const answerTypes = {
  json: ["application/json"],
  xml: ["text/xml"],
  file: ["text/csv", "application/x-ndjson", "application/vnd.apache.parquet"],
} as const;
/** An example that was written before a field of it had a default has that, too. */
const withDefaults = (schema: z.ZodType, example: unknown): unknown => schema.safeParse(example).data ?? example;

function describeOperation(components: Components, operation: Operation): Json {
  const { name, tag, summary, body, bodyOptional, example, status, answer } = operation;
  const answerExample = withDefaults(answer, operation.answerExample ?? answerExampleOf(name));
  const { bodyType = "json", answerType = "json" } = operation;
  const schema = components.refer(answer, "answer", {
    name: `${pascalCase(name)}Response`,
    text: `Answer of \`${name}\`.`,
  });
  // A file's example is of the first of its types.
  const answered = answerTypes[answerType].map((type, index) => [
    type,
    { schema, ...(answerExample === undefined || index > 0 ? {} : { example: answerExample }) },
  ]);
  return {
    operationId: name,
    tags: [tag],
    summary: shortSummary(summary),
    description: `${summary}.\n\n${describeRights(operation)}`,
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
            schema: components.refer(body, "body", {
              name: `${pascalCase(name)}Request`,
              text: `Body of \`${name}\`.`,
            }),
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
          ...Object.fromEntries(answered),
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
  const { properties = {}, required = [] } = components.convert(schema, "parameters", where) as {
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
