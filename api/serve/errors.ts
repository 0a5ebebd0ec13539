import type { z } from "zod";
import { describeFault, isSecret } from "../../ingest/fault.ts";
import { notReserved } from "../../ingest/primitives.ts";
import { withoutAbsentNulls } from "./absent-nulls.ts";
import { findReservedName, findTooDeep, findUnstorableText, type Path } from "./storable.ts";

/** An error answer: `{detail: {code, message}}`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** lower_snake and stable: clients rely on it. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    status: number,
    code: string,
    message: string,
    options: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? {};
  }
}

/** Invalid credentials; missing ones are not such an error. */
export class SignInError extends ApiError {}

/** 401 for invalid credentials. */
export const wrongCredentials = (message: string): SignInError => new SignInError(401, "unauthorized", message);
/** 401 for a request without credentials. */
export const unauthorized = (message: string): ApiError => new ApiError(401, "unauthorized", message);
export const notFound = (what: string): ApiError => new ApiError(404, "not_found", `${what} was not found.`);
/** 405; `allow` lists the methods of the path. */
export const methodNotAllowed = (what: string, allow: string): ApiError =>
  new ApiError(405, "method_not_allowed", `${what} is not possible; the path takes ${allow}.`, {
    headers: { Allow: allow },
  });
export const conflict = (message: string): ApiError => new ApiError(409, "conflict", message);

export type Location = "body" | "query" | "path" | "header";

/** One entry of a validation error's body. */
export interface ValidationIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Record<string, unknown>;
}

/** 422: the request is invalid; one issue for each fault. */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
  readonly issues: readonly ValidationIssue[];
  constructor(issues: readonly ValidationIssue[]) {
    super(issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "));
    this.issues = issues;
  }
}

/**
 * Parses a part of a request. In a body, a null that its field cannot take counts as not sent. Throws a `ValidationError`
 * whose `loc` begins with that part.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown, where: Location): z.output<S> {
  refuseTooDeep(input, where);
  // In a query such a name is reported as ignored.
  if (where === "body") refuseAt(findReservedName(input), { where, type: "reserved_name", msg: notReserved });
  const sent = where === "body" ? withoutAbsentNulls(schema, input) : input;
  const parsed = schema.safeParse(sent, { reportInput: true, error: describeFault });
  if (parsed.success) {
    // Checks the parsed data: ignored fields may contain anything.
    const fault = { where, type: "string_unicode", msg: "must be Unicode text without NUL characters" };
    refuseAt(findUnstorableText(parsed.data), fault);
    return parsed.data;
  }
  if (where === "body" && input === undefined) throw noBody();
  throw new ValidationError(parsed.error.issues.slice(0, maxIssues).map((issue) => toIssue(issue, where)));
}

/** Throws a `ValidationError` for what is nested deeper than whatever reads it by recursion can bear. */
export const refuseTooDeep = (input: unknown, where: Location): void =>
  refuseAt(findTooDeep(input), { where, type: "too_deep", msg: "must not be nested this deeply" });

function refuseAt(path: Path | null, { where, type, msg }: { where: Location; type: string; msg: string }): void {
  if (path !== null) throw new ValidationError([{ loc: [where, ...path], msg, type }]);
}

/** Issues that one answer lists at most. */
const maxIssues = 100;

/** The error of a missing body, and of a body of another content type, which is not read. */
const noBody = (): ValidationError =>
  new ValidationError([
    { loc: ["body"], msg: "Send a JSON document with the header Content-Type: application/json.", type: "missing" },
  ]);

function toIssue(issue: z.core.$ZodIssue, where: Location): ValidationIssue {
  const loc = [where, ...issue.path.map((key) => (typeof key === "symbol" ? String(key) : key))];
  const { type, ctx } = describe(issue);
  const isShown = type !== "missing" && isBrief(issue.input) && !isSecret(issue.path);
  const given = isShown ? { input: issue.input } : {};
  return { loc, msg: issue.message, type, ...given, ...(ctx === undefined ? {} : { ctx }) };
}

const longestInput = 1000;

/** Returns true for values short enough to be repeated in an answer. */
function isBrief(value: unknown): boolean {
  if (value === undefined || Number.isNaN(value)) return false;
  if (typeof value === "string") return value.length <= longestInput;
  if (typeof value !== "object" || value === null) return true;
  const inside = Object.values(value);
  return inside.length <= 20 && inside.every((each) => typeof each !== "object" && String(each).length <= 100);
}

/** Converts zod's issue codes to the `type` of FastAPI's validation errors. */
function describe(issue: z.core.$ZodIssue): { type: string; ctx?: Record<string, unknown> } {
  if (issue.input === null) return { type: "none_forbidden" };
  if (issue.input === undefined) return { type: "missing" };
  switch (issue.code) {
    case "invalid_type":
      return { type: `${typeNames[issue.expected] ?? issue.expected}_type` };
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? { type: `${typeNames[issue.origin]}_too_short`, ctx: { min_length: Number(issue.minimum) } }
        : { type: "greater_than_equal", ctx: { ge: Number(issue.minimum) } };
    case "too_big":
      return issue.origin === "string" || issue.origin === "array"
        ? { type: `${typeNames[issue.origin]}_too_long`, ctx: { max_length: Number(issue.maximum) } }
        : { type: "less_than_equal", ctx: { le: Number(issue.maximum) } };
    case "invalid_value":
      return { type: "enum", ctx: { expected: issue.values } };
    case "invalid_format":
      return { type: `${issue.format}_invalid` };
    case "custom":
      return { type: typeof issue.params?.["type"] === "string" ? issue.params["type"] : "value_error" };
    default:
      return { type: "value_error" };
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "string",
  number: "float",
  int: "int",
  boolean: "bool",
  array: "list",
  object: "dict",
  record: "dict",
};
