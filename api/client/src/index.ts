import createFetchClient, { type Client, type ClientOptions } from "openapi-fetch";
import { ApiError } from "./api-error.ts";
import type { components, operations, paths } from "./openapi.ts";
import { createRetryingFetch, type RetryOptions } from "./retry.ts";

export { ApiError } from "./api-error.ts";
export type { RetryOptions } from "./retry.ts";
export { Webhook, type WebhookHeaders, WebhookVerificationError } from "./webhook.ts";
export type { components, operations, paths };

/** The shapes of the API by their names in its OpenAPI document: `Schemas["Campaign"]`. */
export type Schemas = components["schemas"];

export interface TrunklineOptions {
  /** Address of the installation, such as `https://calls.example.com`. */
  readonly baseUrl: string;
  /** An organization's API key: for all under `/api`. */
  readonly apiKey?: string;
  /** A user's access token, or what returns the present one: for `/reporting_ai` and `/v1`. */
  readonly accessToken?: string | (() => string | Promise<string>);
  /** Key of an incoming webhook, its `auth_key`: for `/call-data` and `/update-…`. Each webhook has its own. */
  readonly webhookKey?: string;
  readonly retry?: RetryOptions;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

export type TrunklineClient = Client<paths, "application/json">;

/**
 * Creates a client: `client.GET("/api/v1/targets/{target_id}", { params: { path: { target_id } } })` resolves to `data`,
 * or to `error` with the API's code and message; neither throws for an answer. Answers of 429 and, where a repeat does no
 * harm, 503 and lost connections are tried again, after the time that `Retry-After` asks for.
 */
export function createTrunkline(given: TrunklineOptions): TrunklineClient {
  const { baseUrl, apiKey, accessToken, webhookKey, retry, fetch } = given;
  const options: ClientOptions = { baseUrl, fetch: createRetryingFetch(retry, fetch) };
  const client = createFetchClient<paths, "application/json">(options);
  client.use({
    async onRequest({ request, schemaPath }) {
      if (webhookPaths.has(schemaPath)) return webhookKey === undefined ? request : withKey(request, webhookKey);
      if (apiKey !== undefined) request.headers.set("X-API-Key", apiKey);
      const token = typeof accessToken === "function" ? await accessToken() : accessToken;
      if (token !== undefined) request.headers.set("Authorization", `Bearer ${token}`);
      return request;
    },
  });
  return client;
}

/** Calls of customers' systems, authenticated by the key of an incoming webhook alone. */
const webhookPaths: ReadonlySet<string> = new Set<keyof paths>([
  "/call-data",
  "/update-revenue",
  "/update-tags",
  "/update-fields",
]);

function withKey(request: Request, key: string): Request {
  const url = new URL(request.url);
  url.searchParams.set("svc_auth_key", key);
  return new Request(url, request);
}

interface Answered<D> {
  readonly data?: D;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the data of an answer: `unwrap(await client.GET(…))`. Throws `ApiError` for an answer that says no. */
export function unwrap<D>({ data, error, response }: Answered<D>): D {
  if (!response.ok) throw new ApiError(response, error);
  return data as D;
}

interface Page {
  readonly data: readonly unknown[];
  readonly meta: { readonly next_offset: number | null; readonly next_cursor?: string | null };
}
type Place = { readonly cursor: string } | { readonly offset: number } | Record<string, never>;
type AnswerTo<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { "application/json": infer A } } } };
}
  ? A
  : never;
/** The paths of lists. */
export type ListPath = { [P in keyof paths]: AnswerTo<P> extends Page ? P : never }[keyof paths] & string;
type RowOf<P extends ListPath> = AnswerTo<P> extends { data: readonly (infer R)[] } ? R : never;
type ParametersOf<P extends ListPath> = paths[P] extends { get: { parameters: infer A } } ? A : never;
export interface ListOptions<P extends ListPath> {
  readonly query?: Omit<NonNullable<ParametersOf<P> extends { query?: infer Q } ? Q : never>, "offset" | "cursor">;
  readonly path?: ParametersOf<P> extends { path: infer V } ? V : never;
  readonly signal?: AbortSignal;
}

/**
 * Yields every row of a list, page by page: `for await (const call of rowsOf(client, "/api/v1/reports/calls"))`. Lists by
 * time go by their cursors, so that rows which come in meanwhile move none twice. Throws `ApiError`.
 */
export async function* rowsOf<P extends ListPath>(
  client: TrunklineClient,
  path: P,
  { query, path: values, signal }: ListOptions<P> = {},
): AsyncGenerator<RowOf<P>, void, undefined> {
  // The types of the library are of one path that is known; here it is any of the lists.
  const get = client.GET as (path: string, init: object) => Promise<Answered<Page>>;
  let place: Place | undefined = {};
  while (place !== undefined) {
    const params: object = { path: values, query: { limit: 200, ...query, ...place } };
    const { data, meta }: Page = unwrap(await get(path, { params, ...(signal === undefined ? {} : { signal }) }));
    yield* data as RowOf<P>[];
    if (meta.next_cursor != null) place = { cursor: meta.next_cursor };
    else place = meta.next_offset === null ? undefined : { offset: meta.next_offset };
  }
}
