import type { Operation } from "./operation.ts";

/** The same operations for the product, whose users have access tokens: at `/v1/…` beside `/api/v1/…`. */
export const forUsers = (operations: readonly Operation[]): Operation[] =>
  operations.map((operation) => ({
    ...operation,
    path: operation.path.replace(/^\/api\/v1\//, "/v1/"),
    access: "user",
  }));
