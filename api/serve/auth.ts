import type { Request } from "express";
import type { Clock } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { hashKey } from "../auth/api-keys.ts";
import type { TokenOwner, VerifyToken } from "../auth/tokens.ts";
import type { Snapshot } from "../config/snapshot.ts";
import { unauthorized } from "./errors.ts";

/** The caller's organization by its X-API-Key; 401 without a valid one. */
export type Authenticate = (request: Request) => OrgId;

export function createKeyAuthentication(snapshot: Snapshot, clock: Clock): Authenticate {
  return (request) => {
    const key = request.get("X-API-Key");
    if (!key) throw unauthorized("Send your organization's API key in the X-API-Key header.");
    const owner = snapshot.keyOwner(hashKey(key));
    const expired = owner?.expiresAt && Date.parse(owner.expiresAt) <= clock.now();
    if (owner === undefined || expired) throw unauthorized("This API key is not valid.");
    return owner.orgId;
  };
}

/** The user and organization of a Bearer token; 401 without a valid one, or for an organization that is not here. */
export type AuthenticateUser = (request: Request) => Promise<TokenOwner>;

export function createTokenAuthentication(verify: VerifyToken, snapshot: Snapshot): AuthenticateUser {
  return async (request) => {
    const [scheme, token] = (request.get("Authorization") ?? "").split(" ");
    if (scheme?.toLowerCase() !== "bearer" || !token) {
      throw unauthorized("Send an access token in the Authorization header: Bearer <ACCESS_TOKEN>.");
    }
    const owner = await verify(token);
    if (owner === null || snapshot.config(owner.orgId) === undefined) {
      throw unauthorized("This access token is not valid, or it has expired.");
    }
    return owner;
  };
}
