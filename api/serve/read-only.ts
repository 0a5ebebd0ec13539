import { changesSomething } from "./areas.ts";
import { ApiError } from "./errors.ts";
import type { Operation } from "./operation.ts";

const refusal = new ApiError(
  403,
  "read_only",
  "Fixtures are served read-only, so nothing can be changed, called or sent here: npm run demo runs a platform where it can.",
);

/** Returns the operations of a platform that is only read: those that change something answer 403 `read_only`. */
export const toReadOnly = (operations: readonly Operation[]): Operation[] =>
  operations.map((operation) => {
    const { errors = [] } = operation;
    return changesSomething(operation) ? { ...operation, apart: false, errors: [...errors, 403], refusal } : operation;
  });
