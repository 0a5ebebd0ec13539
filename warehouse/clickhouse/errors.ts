import { WarehouseError, type WarehouseErrorCode } from "../warehouse.ts";

/** Numbers of the engine's table of errors: what reading or converting a value can say of it. */
const valueErrors: ReadonlySet<string> = new Set([
  "6",
  "25",
  "26",
  "27",
  "32",
  "33",
  "38",
  "41",
  "49",
  "53",
  "69",
  "70",
  "72",
  "117",
  "131",
  "349",
  "407",
  "467",
]);

/** Syntax, unknown column, function or parameter, types that do not go together, what a read-only user may not do. */
const statementErrors = ["36", "42", "43", "46", "47", "48", "53", "62", "164", "215", "291", "386", "456", "497"];

/** Errors in a statement, and those of a query that was ended. All else is the engine's state, or that it is away. */
const queryErrors: ReadonlyMap<string, WarehouseErrorCode> = new Map([
  ...statementErrors.map((code) => [code, "query_invalid"] as const),
  ["159", "query_timeout"],
  ["160", "query_timeout"],
  ["394", "query_cancelled"],
]);

/** Too many queries, sockets, network, memory of all, disk, who may sign in: the engine's own state, whatever was asked. */
const stateErrors: ReadonlySet<string> = new Set(["202", "203", "204", "209", "210", "243", "279", "516", "745"]);
export const isEngineState = (code: string): boolean => stateErrors.has(code);

/** Converts an error of a query. */
export const toQueryError = (error: unknown): WarehouseError =>
  toError(error, (code) => queryErrors.get(code) ?? "unavailable");

/** Converts an error of reading messages: a value that does not fit, or a failure that stops the loader. */
export const toReadingError = (error: unknown): WarehouseError =>
  toError(error, (code) => (valueErrors.has(code) ? "row_refused" : "unavailable"));

/** Converts other errors that stop the loader. */
export const toStoringError = (error: unknown): WarehouseError => toError(error, () => "unavailable");

function toError(error: unknown, codeOf: (code: string) => WarehouseErrorCode): WarehouseError {
  if (error instanceof WarehouseError) return error;
  const message = error instanceof Error ? describe(error) : String(error);
  const code = isClickhouseError(error) ? codeOf(error.code) : "unavailable";
  return new WarehouseError(code, message, { cause: error });
}

/** Recognized by its shape: an injected connection may have the class of another copy of the driver. */
const isClickhouseError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && "type" in error && "code" in error && typeof error.code === "string";

/** Describes a connection error: for a host with several addresses it has no message of its own. */
const describe = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message;
