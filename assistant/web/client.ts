import type { ZodMiniType } from "zod/mini";
import { answerDeadlineMs, RequestError } from "./problem.ts";
import {
  type Answer,
  answerSchema,
  errorBodySchema,
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

const toRequestError = (response: Response, body: unknown): RequestError => {
  const seconds = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  const fault = { status: response.status, retryAfterSeconds: Number.isNaN(seconds) ? null : seconds };
  const parsed = errorBodySchema.safeParse(body);
  if (!parsed.success) return new RequestError({ ...fault, code: `http_${response.status}`, message: "" });
  const { detail } = parsed.data;
  if (!Array.isArray(detail)) return new RequestError({ ...fault, ...detail });
  return new RequestError({ ...fault, code: "invalid", message: detail.map((entry) => entry.msg).join("; ") });
};

/** Sends one request and reads its answer by `schema`; throws `RequestError`, or what fetch throws. */
const request = async <T>(path: string, init: RequestInit, schema: ZodMiniType<T>): Promise<T> => {
  const response = await fetch(path, init);
  const body = await readJson(response);
  if (!response.ok) throw toRequestError(response, body);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new RequestError({ status: response.status, code: "unreadable", message: "" });
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, accept: "application/json" });

/** How this server wants its analysts to sign in. */
export const readSession = (): Promise<PageSession> => request("/page/session", {}, sessionSchema);

/** Questions to start with; also the cheapest request that tells whether a token is accepted. */
export const readSuggestions = async (token: string): Promise<readonly string[]> =>
  (await request("/reporting_ai/suggestions", { headers: bearer(token) }, suggestionsSchema)).data;

/** Asks one question; `signal` cancels it, and a deadline of its own ends it with a `TimeoutError`. */
export const ask = (token: string, question: Question, signal: AbortSignal): Promise<Answer> =>
  request(
    "/reporting_ai/query",
    {
      method: "POST",
      headers: { ...bearer(token), "content-type": "application/json" },
      body: JSON.stringify(question),
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerDeadlineMs)]),
    },
    answerSchema,
  );
