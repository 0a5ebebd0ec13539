import { type Request, type RequestHandler, type Response, Router } from "express";
import type { z } from "zod";
import type { Access } from "./access.ts";
import type { Area, Right, Ruled } from "./areas.ts";
import { type BodyType, bodyReaders, hasBody, type ReadBody } from "./bodies.ts";
import type { Caller } from "./caller.ts";
import type { AddressOf } from "./caller-address.ts";
import { type ApiError, methodNotAllowed, parseInput } from "./errors.ts";
import { reportIgnored, withIgnored } from "./ignored-input.ts";
import type { OperationTag } from "./operation-text.ts";
import { sendRaw, sendZipped, toJsonAnswer } from "./raw-route.ts";
import { type StreamAnswer, sendStream, wantsGzip } from "./send-stream.ts";
import { answerByEvents, wantsEvents } from "./server-sent-events.ts";

/** Requests that count together against one limit. */
export type LimitGroup = "api" | "assistant" | "webhooks" | "rtb" | "none";

export interface OperationRequest<P, Q, B> {
  readonly caller: Caller;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly requestId: string;
  readonly sourceIp: string | null;
  /** Address of this installation for the client, without a slash at its end. */
  readonly baseUrl: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Reports progress to a client that asked for it. */
  readonly onProgress?: ((step: string, known?: object) => void) | undefined;
}

/** One operation of the API: input, answer and handler. Routes and the OpenAPI document are created from it. */
export interface Operation {
  readonly method: "get" | "post" | "patch" | "delete";
  /** The path as in OpenAPI: `/api/v1/targets/{target_id}`. */
  readonly path: string;
  /** Its name for clients, such as `createCampaign`: stable, and of no other operation. */
  readonly name: string;
  readonly tag: OperationTag;
  /** Default: the tag's. */
  readonly area?: Area;
  readonly summary: string;
  readonly access: Access;
  readonly limit: LimitGroup;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Takes a missing body as an empty object. */
  readonly bodyOptional?: boolean;
  /** Accepts its own answer as a body: fields that only the answer has are not reported as unknown. */
  readonly takesItsAnswer?: boolean;
  /** Default: JSON. A missing form is taken as an empty object. */
  readonly bodyType?: BodyType;
  readonly status: 200 | 201;
  readonly answer: z.ZodType;
  /** Default: JSON. An XML answer is the document's text, a file a `StreamAnswer`. */
  readonly answerType?: "json" | "xml" | "file";
  /** Reports progress to clients that accept `text/event-stream`. */
  readonly tellsProgress?: boolean;
  /** An example body for the OpenAPI document. */
  readonly example?: unknown;
  /** An example of its answer for the OpenAPI document. */
  readonly answerExample?: unknown;
  /** Served by a route before Express: listed for the OpenAPI document only. */
  readonly apart?: boolean;
  /** True if it changes an organization's data or sends requests to others. Default: true for every method but GET. */
  readonly changes?: boolean;
  /** The right that it takes in its area. Default: write where it changes something. */
  readonly right?: Right;
  /** The answer to every request, of whomever. */
  readonly refusal?: ApiError;
  /** Error statuses besides those that every operation can have. */
  readonly errors?: readonly (400 | 403 | 404 | 409 | 503)[];
  // biome-ignore lint/suspicious/noExplicitAny: a table of operations holds handlers of many input types; `defineOperation` types each one.
  handle(request: OperationRequest<any, any, any>): Promise<unknown>;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Types an operation's handler by its schemas. */
export function defineOperation<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  operation: Omit<Operation, "params" | "query" | "body" | "handle"> & {
    readonly params?: P;
    readonly query?: Q;
    readonly body?: B;
    handle(request: OperationRequest<Parsed<P>, Parsed<Q>, Parsed<B>>): Promise<unknown>;
  },
): Operation {
  return operation as Operation;
}

/** The fields of an operation that rate limits depend on. */
export type Counted = Pick<Operation, "limit" | "method" | "path">;

export interface OperationGuards {
  /** Returns the caller; throws 401 or 403. */
  authenticate(request: Request, access: Access): Promise<Caller>;
  /** Throws 403 unless the caller's scopes or role allow the operation: before any work, however it was reached. */
  authorize(caller: Caller, operation: Ruled): void;
  /** Checks a signature that covers the body, after it was read; throws 403. */
  verify(request: Request, access: Access): Promise<void>;
  /** Counts the request; throws 429. Sets the limit's headers. */
  limit(caller: Caller, operation: Counted, response: Response): Promise<void>;
}

/** Options of reading requests. */
export interface ServedBy {
  readonly maxBodyBytes: number;
  readonly addressOf: AddressOf;
  /** `PUBLIC_URL`; without it, addresses are built of the request's own. */
  readonly publicUrl?: string | undefined;
}

/** Routes the operations. Literal paths come before parameters, whatever their order in the table. */
export function operationRoutes(
  operations: readonly Operation[],
  guards: OperationGuards,
  { maxBodyBytes, addressOf, publicUrl }: ServedBy,
): RequestHandler {
  const readers = bodyReaders(maxBodyBytes);
  const served = operations.filter(({ apart }) => apart !== true);
  const literalFirst = served.toSorted((one, other) => parameters(one.path) - parameters(other.path));
  // Express tries the routes of a router one by one, so each prefix has a router.
  const routers = new Map(served.map(({ path }) => [prefixOf(path), Router()]));
  for (const operation of literalFirst) {
    routers
      .get(prefixOf(operation.path))
      ?.[operation.method](
        routeOf(operation.path),
        handlerOf(operation, guards, { readBody: readers[operation.bodyType ?? "json"], addressOf, publicUrl }),
      );
  }
  for (const path of new Set(literalFirst.map((operation) => operation.path))) {
    const allowed = otherMethods(operations.filter((operation) => operation.path === path));
    routers.get(prefixOf(path))?.all(routeOf(path), allowed);
  }
  return (request, response, next) => {
    const segments = request.path.toLowerCase().split("/", maxPrefixSegments);
    for (let count = segments.length; count > 1; count -= 1) {
      const router = routers.get(segments.slice(0, count).join("/"));
      if (router !== undefined) return router(request, response, next);
    }
    return next();
  };
}

/** Three, and the empty one before the first slash. */
const maxPrefixSegments = 4;

/** Returns the path's literal segments up to its first parameter, three at most. */
const prefixOf = (path: string): string =>
  (path.split("/{")[0] ?? "").toLowerCase().split("/", maxPrefixSegments).join("/");

const closed = new Error("The client has disconnected.");

/** Returns a signal that aborts when the client disconnects before it has the whole answer. */
function signalOf(response: Response): AbortSignal {
  const gone = new AbortController();
  const abort = () => {
    if (!response.writableFinished) gone.abort(closed);
  };
  if (response.destroyed) abort();
  else response.once("close", abort);
  return gone.signal;
}

const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** Answers other methods of a path: 405, or for OPTIONS the allowed methods. */
function otherMethods(operations: readonly Operation[]): RequestHandler {
  const methods = operations.map(({ method }) => method.toUpperCase());
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  return ({ method, path }, response) => {
    if (method !== "OPTIONS") throw methodNotAllowed(`${method} ${path}`, allow);
    response.status(204).set("Allow", allow).end();
  };
}

/** Characters of an answer from which on it is compressed: smaller ones fit into a few packets. */
const zippedFrom = 8 * 1024;

const parameters = (path: string): number => path.split("{").length;

function handlerOf(
  operation: Operation,
  { authenticate, authorize, limit, verify }: OperationGuards,
  { readBody, addressOf, publicUrl }: Omit<ServedBy, "maxBodyBytes"> & { readonly readBody: ReadBody },
): RequestHandler {
  const { params, query, body, bodyOptional, bodyType, access, refusal } = operation;
  return async (request, response) => {
    if (refusal !== undefined) throw refusal;
    // Answers contain an organization's data, some of them secrets.
    response.set("Cache-Control", "no-store");
    const caller = await authenticate(request, access);
    authorize(caller, operation);
    await limit(caller, operation, response);
    // After the checks: refused callers cannot make us read a body, and invalid bodies count against the limit.
    if (body) await readBody(request, response);
    await verify(request, access);
    // A body of another content type is not read, and must not be taken as missing.
    const mayLack = bodyOptional || bodyType === "form";
    const given = mayLack && request.body === undefined && !hasBody(request) ? {} : request.body;
    const asked = {
      caller,
      params: params && parseInput(params, request.params, "path"),
      query: query && parseInput(query, request.query, "query"),
      body: body && parseInput(body, given, "body"),
      requestId: request.id,
      get sourceIp() {
        return addressOf(request);
      },
      get baseUrl() {
        return publicUrl ?? `${request.protocol}://${request.host}`;
      },
      get signal() {
        return signalOf(response);
      },
    };
    // Carriers add parameters and fields that are not known here.
    const ignored = typeof access === "object" ? [] : reportIgnored(operation, request, response);
    if (operation.tellsProgress === true && wantsEvents(request)) {
      return answerByEvents(response, (onProgress) => operation.handle(Object.assign(asked, { onProgress })));
    }
    const answer = await operation.handle(asked);
    if (operation.answerType === "file") return sendStream(request, response, answer as StreamAnswer);
    if (operation.answerType === "xml") response.status(operation.status).type("text/xml").send(answer);
    else {
      const given = toJsonAnswer(withIgnored(answer, ignored), { status: operation.status, headers: {} });
      if (given.body.length < zippedFrom || !wantsGzip(request)) return sendRaw(response, given);
      await sendZipped(response, given);
    }
  };
}
