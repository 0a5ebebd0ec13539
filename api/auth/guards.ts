import type { Request, Response } from "express";
import type { Clock } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { hashKey } from "../config/api-keys.ts";
import type { Snapshot } from "../config/snapshot.ts";
import type { Access } from "../serve/access.ts";
import { isInRanges } from "../serve/address-ranges.ts";
import { permissionsOf, type Ruled } from "../serve/areas.ts";
import type { Caller } from "../serve/caller.ts";
import type { AddressOf } from "../serve/caller-address.ts";
import { ApiError, unauthorized, wrongCredentials } from "../serve/errors.ts";
import { enforceLimit, type Limiters } from "../serve/limiters.ts";
import type { Counted, OperationGuards } from "../serve/operation.ts";
import { noRights, requirePermissions, rightsOfRole } from "../serve/rights.ts";
import type { TokenOwner, VerifyToken } from "./access-tokens.ts";
import type { FailedSignIns, SignInScheme } from "./failed-sign-ins.ts";
import type { RefusedKeys } from "./refused-keys.ts";

export interface GuardDeps {
  readonly snapshot: Snapshot;
  readonly verifyToken: VerifyToken;
  readonly clock: Clock;
  readonly limiters: Limiters;
  readonly failedSignIns: FailedSignIns;
  readonly addressOf: AddressOf;
  readonly refusedKeys: RefusedKeys;
}

/** Creates the guards of operations: authentication and rate limits. */
export function createGuards(deps: GuardDeps): OperationGuards {
  const { snapshot, verifyToken, limiters, failedSignIns, addressOf, refusedKeys } = deps;
  async function callerOf(request: Request, access: Access): Promise<Caller> {
    if (typeof access === "object") {
      access.admit({ url: request.originalUrl, headers: request.headers });
      return anybody;
    }
    switch (access) {
      case "open":
        return anybody;
      case "user":
        return userOf(request, snapshot, verifyToken);
      case "api_key":
        return keyOwnerOf(request, deps);
      case "admin_key": {
        const caller = keyOwnerOf(request, deps);
        if (!caller.admin) throw new ApiError(403, "forbidden", "This needs an admin key of your organization.");
        return caller;
      }
    }
  }

  return {
    authenticate: (request: Request, access: Access): Promise<Caller> =>
      failedSignIns.attempt({ address: addressOf(request), scheme: schemeOf(access) }, () => callerOf(request, access)),

    authorize(caller: Caller, operation: Ruled): void {
      if (typeof operation.access === "object" || operation.access === "open") return;
      try {
        requirePermissions(caller, permissionsOf(operation));
      } catch (error) {
        if (caller.actor.type === "api_key") refusedKeys.count("scope");
        throw error;
      }
    },

    async verify(request: Request, access: Access): Promise<void> {
      if (typeof access !== "object" || access.verify === undefined) return;
      const sent = { url: request.originalUrl, headers: request.headers };
      const { scheme, verify } = access;
      await failedSignIns.attempt({ address: addressOf(request), scheme }, () => verify(sent, request.body));
    },

    async limit(caller: Caller, operation: Counted, response: Response): Promise<void> {
      const key = limitKey(caller, operation);
      await enforceLimit(limiters, { group: operation.limit, key, response });
    },
  };
}

function schemeOf(access: Access): SignInScheme {
  if (typeof access === "object") return access.scheme;
  return access === "user" ? "token" : "api_key";
}

const anybody: Caller = {
  orgId: "" as OrgId,
  actor: { type: "system", id: "anybody", name: null },
  admin: false,
  rights: noRights,
};

/** Returns what requests are counted by: key and route for the external API, so that one busy job does not starve another. */
function limitKey({ orgId, actor }: Caller, { limit, method, path }: Counted): string {
  // User ids are unique within an organization alone.
  const caller = `${orgId}:${actor.id}`;
  if (limit === "api") return `${caller}:${method} ${path}`;
  return limit === "assistant" ? caller : orgId;
}

function keyOwnerOf(request: Request, { snapshot, clock, addressOf, refusedKeys }: GuardDeps): Caller {
  const key = request.get("X-API-Key");
  if (!key) throw unauthorized("Send your organization's API key in the X-API-Key header.");
  const owner = snapshot.keyOwner(hashKey(key));
  const expired = owner?.expiresAt && Date.parse(owner.expiresAt) <= clock.now();
  if (owner === undefined || expired) throw wrongCredentials("This API key is not valid.");
  const address = addressOf(request);
  if (owner.ranges !== null && !isInRanges(owner.ranges, address)) throw refusedKeys.elsewhere(owner, address);
  const { orgId, id, name, isAdmin: admin, rights } = owner;
  return { orgId, actor: { type: "api_key", id, name }, admin, rights };
}

async function userOf(request: Request, snapshot: Snapshot, verify: VerifyToken): Promise<Caller> {
  const [scheme, token] = (request.get("Authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "bearer" || !token) {
    throw unauthorized("Send an access token in the Authorization header: Bearer <ACCESS_TOKEN>.");
  }
  const owner = await verify(token);
  // An unknown organization gets the same error, so that it does not reveal whether the token is valid.
  if (owner === null || snapshot.config(owner.orgId) === undefined || isRevoked(owner, snapshot)) {
    throw wrongCredentials("This access token is not valid, or it has expired.");
  }
  const { orgId, userId: id, role } = owner;
  return { orgId, actor: { type: "user", id, name: null }, admin: role === "admin", rights: rightsOfRole(role) };
}

const isRevoked = ({ orgId, tokenId }: TokenOwner, snapshot: Snapshot): boolean =>
  tokenId !== null && snapshot.isRevokedToken(orgId, tokenId);
