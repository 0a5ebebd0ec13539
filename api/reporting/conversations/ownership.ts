import { actorName, type Caller } from "../../serve/caller.ts";
import { ApiError } from "../../serve/errors.ts";

/** Whether a caller may change what is for all of the organization: its owner, or an admin. Null is an owner nobody knows. */
export const mayChange = (caller: Caller, owner: string | null): boolean => caller.admin || owner === actorName(caller);

/** Throws 403 for whoever may not; `what` begins the sentence: "The saved question x". */
export function requireMayChange(caller: Caller, owner: string | null, what: string): void {
  if (mayChange(caller, owner)) return;
  const owners = owner === null ? "an admin of your organization" : `${owner} or an admin of your organization`;
  throw new ApiError(403, "forbidden", `${what} can be changed only by ${owners}.`);
}
