import type { ErrorRequestHandler, RequestHandler } from "express";
import { LogError } from "../../ingest/log/log.ts";
import { parseJson } from "../../ingest/parse.ts";
import { UnreadableError } from "../../ingest/unreadable.ts";
import { WarehouseError } from "../../warehouse/warehouse.ts";
import { DatabaseError } from "../database/database.ts";
import { ApiError, notFound, ValidationError, type ValidationIssue } from "./errors.ts";

/** Errors of Express's body parsers by their `type`. */
const bodyFaults: Readonly<Record<string, (error: Error) => ApiError | ValidationError>> = {
  "entity.parse.failed": (error) => bodyFault("json_invalid", describeParseError(error)),
  "entity.too.large": () => new ApiError(413, "body_too_large", "The body is larger than this server accepts."),
  "parameters.too.many": () =>
    new ApiError(413, "body_too_large", "The form has more fields than this server accepts."),
  "charset.unsupported": () => bodyFault("charset_invalid", "Send the body as UTF-8."),
  "encoding.unsupported": () => bodyFault("encoding_invalid", "Send the body uncompressed or compressed by gzip."),
  "request.size.invalid": () => bodyFault("size_invalid", "The body is not as long as its Content-Length says."),
};

/** Express's parser reports a bare JSON value as invalid JSON: this tells them apart. */
function describeParseError(error: Error): string {
  const parsed = parseJson("body" in error ? String(error.body) : "");
  return parsed.ok
    ? "The body must be a JSON object, not a value alone."
    : `The body is not valid JSON: ${error.message}`;
}

const bodyIssue = (issue: ValidationIssue): ValidationError => new ValidationError([issue]);
const bodyFault = (type: string, msg: string): ValidationError => bodyIssue({ loc: ["body"], msg, type });

/** Answers requests that no route matched. */
export const answerNotFound: RequestHandler = (request) => {
  throw notFound(`${request.method} ${request.path}`);
};

/**
 * Answers every error: known ones in their form, others as a 500 without internal details. The cause is logged with the
 * request.
 */
export const answerErrors: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) {
    response.err = error;
    return next(error);
  }
  const { status, headers, body } = toErrorAnswer(error);
  if (status >= 500) response.err = error;
  response.status(status).set(headers).json(body);
};

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Converts an error to its answer, also for routes before Express. */
export function toErrorAnswer(error: unknown): ErrorAnswer {
  const known = toKnownError(error);
  if (known instanceof ValidationError) return { status: 422, headers: {}, body: { detail: known.issues } };
  const { status, headers, code, message } = known;
  return { status, headers, body: { detail: { code, message } } };
}

function toKnownError(error: unknown): ApiError | ValidationError {
  if (error instanceof ApiError || error instanceof ValidationError) return error;
  if (error instanceof WarehouseError) return fromWarehouse(error);
  if (error instanceof LogError) return fromLog(error);
  if (error instanceof UnreadableError) return unreadable(error);
  if (error instanceof DatabaseError && error.code === "unavailable") return configUnavailable(error);
  if (error instanceof Error && "type" in error) {
    const fault = bodyFaults[String(error.type)]?.(error);
    if (fault) return fault;
  }
  if (error instanceof URIError) return new ApiError(400, "bad_request", "The path is not valid percent-encoding.");
  if (isUnreadableBody(error)) return bodyFault("body_invalid", `The body cannot be read: ${error.message}.`);
  return new ApiError(500, "internal_error", "Something went wrong on our side; the request id is in X-Request-Id.");
}

/** Returns true for parse errors of the body that have no `type`, such as invalid gzip. */
const isUnreadableBody = (error: unknown): error is Error =>
  error instanceof Error && "status" in error && error.status === 400;

function fromWarehouse(error: WarehouseError): ApiError | ValidationError {
  if (error.code === "query_refused")
    return bodyIssue({ loc: ["body", "sql"], msg: error.message, type: "sql_refused" });
  if (error.code === "query_timeout") return new ApiError(503, "analytics_timeout", error.message, { cause: error });
  if (error.code === "disabled") return new ApiError(503, "analytics_disabled", error.message, { cause: error });
  const message = "The analytics store cannot be reached now; try again in a moment.";
  return new ApiError(503, "analytics_unavailable", message, { cause: error, headers: { "Retry-After": "5" } });
}

function unreadable(cause: UnreadableError): ApiError {
  const message = "What is stored of this cannot be read, and everything else can: tell whoever runs the platform.";
  return new ApiError(500, "unreadable", message, { cause });
}

function configUnavailable(cause: DatabaseError): ApiError {
  const message = "The config database cannot be used now; try again in a moment.";
  return new ApiError(503, "config_unavailable", message, { cause, headers: { "Retry-After": "5" } });
}

function fromLog(error: LogError): ApiError {
  if (error.code === "message_too_large") return new ApiError(413, "body_too_large", error.message, { cause: error });
  const message = "The platform cannot take more events now; try again in a moment.";
  return new ApiError(503, "log_unavailable", message, { cause: error, headers: { "Retry-After": "5" } });
}
