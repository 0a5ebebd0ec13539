import * as z from "zod/mini";
import { answerDeadlineMs, RequestError } from "./problem.ts";
import { readEvents } from "./read-events.ts";
import type { Watching } from "./watching.ts";
import {
  type Answer,
  answerSchema,
  deletedSchema,
  errorBodySchema,
  ownOrganizationSchema,
  type PageSession,
  type Question,
  sessionSchema,
  suggestionsSchema,
} from "./wire.ts";

const readJson = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch (cause) {
    if (cause instanceof Error && (cause.name === "AbortError" || cause.name === "TimeoutError")) throw cause;
    return null;
  }
};

const toRequestError = (response: Pick<Response, "status" | "headers">, body: unknown): RequestError => {
  const seconds = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  const fault = { status: response.status, retryAfterSeconds: Number.isNaN(seconds) ? null : seconds };
  const parsed = errorBodySchema.safeParse(body);
  if (!parsed.success) return new RequestError({ ...fault, code: `http_${response.status}`, message: "" });
  const { detail } = parsed.data;
  if (!Array.isArray(detail)) return new RequestError({ ...fault, ...detail });
  return new RequestError({ ...fault, code: "invalid", message: detail.map((entry) => entry.msg).join("; ") });
};

const parseAs = <T>(schema: z.ZodMiniType<T>, { status, body }: { status: number; body: unknown }): T => {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new RequestError({ status, code: "unreadable", message: "" });
};

const readAnswer = async <T>(response: Response, schema: z.ZodMiniType<T>): Promise<T> => {
  const body = await readJson(response);
  if (!response.ok) throw toRequestError(response, body);
  return parseAs(schema, { status: response.status, body });
};

/** Sends one request and reads its answer by `schema`; throws `RequestError`, or what fetch throws. */
const request = async <T>(path: string, init: RequestInit, schema: z.ZodMiniType<T>): Promise<T> =>
  readAnswer(await fetch(path, init), schema);

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, accept: "application/json" });

/** How this server wants its analysts to sign in. */
export const readSession = (): Promise<PageSession> => request("/page/session", {}, sessionSchema);

/** Questions to start with; also the cheapest request that tells whether a token is accepted. */
export const readSuggestions = async (token: string): Promise<readonly string[]> =>
  (await request("/reporting_ai/suggestions", { headers: bearer(token) }, suggestionsSchema)).data;

/** The zone in which the organization's days begin. */
export const readZone = async (token: string): Promise<string> =>
  (await request("/v1/organization", { headers: bearer(token) }, ownOrganizationSchema)).timezone;

export type Reading = { readonly path: string; readonly signal: AbortSignal };

/** A read with the analyst's token. */
export const read = <T>(token: string, path: string, schema: z.ZodMiniType<T>): Promise<T> =>
  request(path, { headers: bearer(token) }, schema);

/** Likewise, of what may be wanted no more before it is here. */
export const readUntil = <T>(token: string, { path, signal }: Reading, schema: z.ZodMiniType<T>): Promise<T> =>
  request(path, { headers: bearer(token), signal }, schema);

/** Deletes; whether it is gone, by this or before. */
export const remove = async (token: string, path: string): Promise<boolean> => {
  try {
    return (await send(token, { method: "DELETE", path }, deletedSchema)).success;
  } catch (error) {
    return error instanceof RequestError && error.status === 404;
  }
};

/** A file that needs the analyst's token; it is handed to the browser to keep. */
export const download = async (token: string, path: string, name: string): Promise<void> => {
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw toRequestError(response, await readJson(response));
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};

export type Sending = { readonly method: "POST" | "PATCH" | "DELETE"; readonly path: string; readonly body?: unknown };

/** A request that changes something, or asks by what it sends. */
export const send = <T>(token: string, { method, path, body }: Sending, schema: z.ZodMiniType<T>): Promise<T> =>
  request(path, { ...jsonOf(token, body), method, signal: AbortSignal.timeout(answerDeadlineMs) }, schema);

const jsonOf = (token: string, body: unknown): RequestInit => ({
  headers: { ...bearer(token), ...(body === undefined ? {} : { "content-type": "application/json" }) },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});

/**
 * Asks one question and tells of its progress; `signal` cancels it, and a deadline of its own ends it with a
 * `TimeoutError`.
 */
export const ask = async (token: string, question: Question, { signal, onProgress }: Watching): Promise<Answer> => {
  const { headers, ...init } = jsonOf(token, { ...question, origin: "page" });
  const response = await fetch("/reporting_ai/query", {
    ...init,
    method: "POST",
    headers: { ...headers, accept: "text/event-stream, application/json" },
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerDeadlineMs)]),
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null) return readAnswer(response, answerSchema);
  for await (const { event, data } of readEvents(response.body)) {
    if (event === "error") throw toStreamError(data);
    if (event === "done") return parseAs(answerSchema, { status: response.status, body: data });
    onProgress(event);
  }
  throw new RequestError({ status: response.status, code: "unreadable", message: "" });
};

const toStreamError = (data: unknown): RequestError => {
  const { status } = z.catch(z.object({ status: z.number() }), { status: 500 }).parse(data);
  return toRequestError({ status, headers: new Headers() }, data);
};
