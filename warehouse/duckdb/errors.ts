import { WarehouseError, type WarehouseErrorCode } from "../warehouse.ts";

/** The driver gives its errors no codes: this table, from the kind that its message begins with, is where they get one. */
const codes: readonly (readonly [RegExp, WarehouseErrorCode])[] = [
  [/^(Constraint|Conversion|Out of Range) Error/, "row_refused"],
  [/^Invalid Input Error: (Malformed JSON|Failed to cast|Object )/, "row_refused"],
  [/^INTERRUPT Error/i, "query_cancelled"],
  [/^(Parser|Binder|Permission|Invalid Input|Invalid Type|Not implemented) Error/, "query_invalid"],
];

export function toWarehouseError(error: unknown): WarehouseError {
  if (error instanceof WarehouseError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = codes.find(([pattern]) => pattern.test(message))?.[1] ?? "unavailable";
  return new WarehouseError(code, message, { cause: error });
}

/** Returns true if the engine refuses all further statements until its file is opened again. */
export const isInvalidated = (error: unknown): boolean =>
  error instanceof WarehouseError
    ? isInvalidated(error.cause)
    : error instanceof Error && /^FATAL Error/.test(error.message);
