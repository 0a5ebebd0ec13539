import { createUnitOfWork } from "../../config/unit-of-work.ts";
import { actorName, type Caller } from "../../serve/caller.ts";
import { ApiError } from "../../serve/errors.ts";
import { may } from "../../serve/rights.ts";
import type { QueryDeps } from "./query-operation.ts";

/** Returns true for those who may change a shared question: its owner, while their role still lets them, and admins. Null is an unknown owner. */
export const mayChange = (caller: Caller, owner: string | null): boolean =>
  may(caller, "organization:write") || (owner === actorName(caller) && may(caller, "questions:write"));

/** Throws 403 for a caller who may not change it; `what` begins the sentence: "The saved question x". */
export function requireMayChange(caller: Caller, owner: string | null, what: string): void {
  if (mayChange(caller, owner)) return;
  const owners = owner === null ? "an admin of your organization" : `${owner} or an admin of your organization`;
  throw new ApiError(403, "forbidden", `${what} can be changed only by ${owners}.`);
}

/** Creates transactions that change shared questions with their audit records; no routing decision depends on them. */
export const auditedChange = ({ database, outbox, onTrouble }: QueryDeps) =>
  createUnitOfWork({ database, outbox, onTrouble, settled: async () => undefined });
