import { type Request, type RequestHandler, type Response, Router } from "express";
import type { z } from "zod";
import type { Access } from "./access.ts";
import { type BodyType, bodyReaders, hasBody, type ReadBody } from "./bodies.ts";
import type { Caller } from "./caller.ts";
import type { AddressOf } from "./caller-address.ts";
import { methodNotAllowed, parseInput } from "./errors.ts";
import { answerByEvents, wantsEvents } from "./events.ts";
import { withIgnored } from "./ignored-parameters.ts";
import { type StreamAnswer, sendStream } from "./send-stream.ts";
import { tellIgnored } from "./tell-ignored.ts";

/** Requests that count together against one limit (spec: Limits). */
export type LimitGroup = "api" | "assistant" | "webhooks" | "rtb" | "none";

export interface OperationRequest<P, Q, B> {
  readonly caller: Caller;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly requestId: string;
  readonly sourceIp: string | null;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** Tells a client that wants to know how far its answer is. */
  readonly onProgress?: ((step: string) => void) | undefined;
}

/** One operation of the API: what it takes, what it answers, and what it does. Routes and the OpenAPI document come of it. */
export interface Operation {
  readonly method: "get" | "post" | "patch" | "delete";
  /** As in OpenAPI: `/api/v1/targets/{target_id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  readonly limit: LimitGroup;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether a request without a body is one with an empty object. */
  readonly bodyOptional?: boolean;
  /** Whether its own answer may be sent back as a body: what only the answer has is then no unknown field. */
  readonly takesItsAnswer?: boolean;
  /** JSON, unless told otherwise. A form without fields is one with an empty object. */
  readonly bodyType?: BodyType;
  readonly status: 200 | 201;
  readonly answer: z.ZodType;
  /** JSON, unless told otherwise; an XML answer is the text of its document, a file a `StreamAnswer`. */
  readonly answerType?: "json" | "xml" | "file";
  /** Whether it tells how far it is, to clients that accept `text/event-stream`. */
  readonly tellsProgress?: boolean;
  /** A body that the operation takes, for the document. */
  readonly example?: unknown;
  /** Served in front of Express by a route of its own: it stands here for the document. */
  readonly apart?: boolean;
  /** Statuses of errors beside those that every operation can have. */
  readonly errors?: readonly (400 | 403 | 404 | 409 | 503)[];
  // biome-ignore lint/suspicious/noExplicitAny: a table of operations holds handlers of many input types; `defineOperation` types each one.
  handle(request: OperationRequest<any, any, any>): Promise<unknown>;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Checks that an operation's handler takes what its schemas give. */
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

/** By what a request counts against which limit. */
export type Counted = Pick<Operation, "limit" | "method" | "path">;

export interface OperationGuards {
  /** Whose request it is; throws 401 or 403. */
  authenticate(request: Request, access: Access): Promise<Caller>;
  /** Judges what was signed together with the body, once that is read; throws 403. */
  verify(request: Request, access: Access): Promise<void>;
  /** Counts the request; throws 429. Sets the limit's headers. */
  limit(caller: Caller, operation: Counted, response: Response): Promise<void>;
}

/** How requests are read. */
export interface ServedBy {
  readonly maxBodyBytes: number;
  readonly addressOf: AddressOf;
}

/** Serves the operations. Literal paths win over parameters, whatever their order in the table. */
export function operationRoutes(
  operations: readonly Operation[],
  guards: OperationGuards,
  { maxBodyBytes, addressOf }: ServedBy,
): Router {
  const router = Router();
  const readers = bodyReaders(maxBodyBytes);
  const served = operations.filter(({ apart }) => apart !== true);
  const literalFirst = served.toSorted((one, other) => parameters(one.path) - parameters(other.path));
  for (const operation of literalFirst) {
    router[operation.method](
      routeOf(operation.path),
      handlerOf(operation, guards, { readBody: readers[operation.bodyType ?? "json"], addressOf }),
    );
  }
  for (const path of new Set(literalFirst.map((operation) => operation.path))) {
    router.all(routeOf(path), otherMethods(operations.filter((operation) => operation.path === path)));
  }
  return router;
}

const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** A path that exists, but not for this method: says which it takes. */
function otherMethods(operations: readonly Operation[]): RequestHandler {
  const methods = operations.map(({ method }) => method.toUpperCase());
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  return ({ method, path }, response) => {
    if (method !== "OPTIONS") throw methodNotAllowed(`${method} ${path}`, allow);
    response.status(204).set("Allow", allow).end();
  };
}

const parameters = (path: string): number => path.split("{").length;

function handlerOf(
  operation: Operation,
  { authenticate, limit, verify }: OperationGuards,
  { readBody, addressOf }: { readonly readBody: ReadBody; readonly addressOf: AddressOf },
): RequestHandler {
  const { params, query, body, bodyOptional, bodyType, access } = operation;
  return async (request, response) => {
    // An organization's data, and some answers show a secret.
    response.set("Cache-Control", "no-store");
    const caller = await authenticate(request, access);
    await limit(caller, operation, response);
    // Only now: nobody who may not call makes us read, and what cannot be read counts against the limit.
    if (body) await readBody(request, response);
    await verify(request, access);
    // A body of another content type is not read; it must not pass for none.
    const mayLack = bodyOptional || bodyType === "form";
    const given = mayLack && request.body === undefined && !hasBody(request) ? {} : request.body;
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const asked = {
      caller,
      params: params && parseInput(params, request.params, "path"),
      query: query && parseInput(query, request.query, "query"),
      body: body && parseInput(body, given, "body"),
      requestId: String(request.id),
      sourceIp: addressOf(request),
      signal: gone.signal,
    };
    // Carriers add parameters and fields of their own.
    const ignored = typeof access === "object" ? [] : tellIgnored(operation, request, response);
    if (operation.tellsProgress === true && wantsEvents(request)) {
      return answerByEvents(response, (onProgress) => operation.handle({ ...asked, onProgress }));
    }
    const answer = await operation.handle(asked);
    if (operation.answerType === "file") return sendStream(request, response, answer as StreamAnswer);
    response.status(operation.status);
    if (operation.answerType === "xml") response.type("text/xml").send(answer);
    else response.json(withIgnored(answer, ignored));
  };
}
