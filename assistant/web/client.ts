import * as z from "zod/mini";
import { answerDeadlineMs, RequestError } from "./problem.ts";
import { saveFile } from "./save-file.ts";
import {
  type Answer,
  answerSchema,
  deletedSchema,
  errorBodySchema,
  type PageSession,
  pageSessionSchema,
  type Question,
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

/** Reads how analysts sign in at this server. */
export const readSession = async (): Promise<PageSession> =>
  readAnswer(await fetch("/page/session"), pageSessionSchema);

export type Sending = { readonly method: "POST" | "PATCH" | "DELETE"; readonly path: string; readonly body?: unknown };

/** `signal` cancels a question; `onProgress` is called with each step that the server reports, and how it read the question. */
export type AskOptions = {
  readonly signal: AbortSignal;
  readonly onProgress: (step: string, reading: string | null) => void;
};

/** Requests with one analyst's access token; they throw `RequestError`, or what fetch throws. */
export const createClient = (token: string) => {
  const headers = { authorization: `Bearer ${token}`, accept: "application/json" };

  const jsonBody = (body: unknown): RequestInit =>
    body === undefined
      ? { headers }
      : { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };

  const get = async <T>(path: string, schema: z.ZodMiniType<T>, signal: AbortSignal | null = null): Promise<T> =>
    readAnswer(await fetch(path, { headers, signal }), schema);

  const send = async <T>({ method, path, body }: Sending, schema: z.ZodMiniType<T>): Promise<T> => {
    const signal = AbortSignal.timeout(answerDeadlineMs);
    return readAnswer(await fetch(path, { ...jsonBody(body), method, signal }), schema);
  };

  /** Returns true when it is gone, be it that it was deleted before. */
  const remove = async (path: string): Promise<boolean> => {
    try {
      return (await send({ method: "DELETE", path }, deletedSchema)).success;
    } catch (error) {
      return error instanceof RequestError && error.status === 404;
    }
  };

  /** Fetches a file, for which a plain link would lack the token, and has the browser save it. */
  const download = async (path: string, name: string): Promise<void> => {
    const response = await fetch(path, { headers: { authorization: headers.authorization } });
    if (!response.ok) throw toRequestError(response, await readJson(response));
    saveFile(await response.blob(), name);
  };

  /** Asks one question; a deadline ends it with a `TimeoutError`. */
  const ask = async (question: Question, { signal, onProgress }: AskOptions): Promise<Answer> => {
    const response = await fetch("/reporting_ai/query", {
      method: "POST",
      headers: { ...headers, accept: "text/event-stream, application/json", "content-type": "application/json" },
      body: JSON.stringify({ ...question, origin: "page" }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerDeadlineMs)]),
    });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!isStream || response.body === null) return readAnswer(response, answerSchema);
    for await (const { event, data } of readEvents(response.body)) {
      if (event === "error") throw toStreamError(data);
      if (event === "done") return parseAs(answerSchema, { status: response.status, body: data });
      onProgress(event, readingSchema.parse(data).reading);
    }
    throw new RequestError({ status: response.status, code: "unreadable", message: "" });
  };

  return { get, send, remove, download, ask };
};
export type Client = ReturnType<typeof createClient>;

const readingSchema = z.catch(z.object({ reading: z.nullable(z.string()) }), { reading: null });

const toStreamError = (data: unknown): RequestError => {
  const { status } = z.catch(z.object({ status: z.number() }), { status: 500 }).parse(data);
  return toRequestError({ status, headers: new Headers() }, data);
};

type ServerEvent = { readonly event: string; readonly data: unknown };

/** Server-sent events of a body, each `event: …` and one line of JSON as `data: …`; other lines are skipped. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const blocks = (rest + decoder.decode(read.value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield toEvent(block);
    }
  } finally {
    await reader.cancel();
  }
}

const toEvent = (block: string): ServerEvent => {
  const field = (name: string) =>
    block
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return { event: field("event") ?? "", data: parseJson(field("data") ?? "null") };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
