import { type Area, areaNames, keyAreas, type Permission, type Right, type Rights } from "./areas.ts";
import type { Caller } from "./caller.ts";
import { ApiError } from "./errors.ts";

/** Roles of a user in their organization, least privileged first. */
export const userRoles = ["viewer", "analyst", "admin"] as const;
export type UserRole = (typeof userRoles)[number];

/** The rights of each role. Keys are managed with keys, and calls of the simulated switch placed. */
const rolesTable: Readonly<Record<Area, Readonly<Record<UserRole, Right | null>>>> = {
  config: { viewer: "read", analyst: "read", admin: "write" },
  telephony: { viewer: null, analyst: null, admin: null },
  reports: { viewer: "read", analyst: "read", admin: "write" },
  webhooks: { viewer: "read", analyst: "read", admin: "write" },
  deliveries: { viewer: "read", analyst: "read", admin: "write" },
  keys: { viewer: null, analyst: null, admin: null },
  audit: { viewer: "read", analyst: "read", admin: "read" },
  conversations: { viewer: "write", analyst: "write", admin: "write" },
  questions: { viewer: "read", analyst: "write", admin: "write" },
  organization: { viewer: "read", analyst: "read", admin: "write" },
  exports: { viewer: null, analyst: "read", admin: "read" },
};

/** Scopes that an API key may be restricted to: of one area, or of all of them. */
export const scopes = [
  "read",
  "write",
  ...keyAreas.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
] as const;
export type Scope = (typeof scopes)[number];

const permissionsIn = (area: Area, right: Right | null): Permission[] => {
  if (right === null) return [];
  return right === "write" ? [`${area}:read`, `${area}:write`] : [`${area}:read`];
};

/** The rights of a caller that nothing restricts. */
export const allRights: Rights = new Set(areaNames.flatMap((area) => permissionsIn(area, "write")));
export const noRights: Rights = new Set();

/** Returns the rights that scopes give; those that are not known here, as a later version may write them, give none. */
export const rightsOfScopes = (given: readonly string[] | null): Rights =>
  given === null
    ? allRights
    : new Set(
        areaNames.flatMap((area) =>
          (["read", "write"] as const).flatMap((right) =>
            given.includes(right) || given.includes(`${area}:${right}`) ? permissionsIn(area, right) : [],
          ),
        ),
      );

const rightsIn = (role: UserRole): Rights =>
  new Set(areaNames.flatMap((area) => permissionsIn(area, rolesTable[area][role])));
const roleRights: Readonly<Record<UserRole, Rights>> = {
  viewer: rightsIn("viewer"),
  analyst: rightsIn("analyst"),
  admin: rightsIn("admin"),
};
export const rightsOfRole = (role: UserRole): Rights => roleRights[role];

/** Returns the roles that have all of the permissions, the least privileged first. */
export const rolesWith = (permissions: readonly Permission[]): UserRole[] =>
  userRoles.filter((role) => permissions.every((each) => roleRights[role].has(each)));

/** Returns those of the rights that are not among others, in the order of the areas. */
export const rightsBeyond = (wanted: Rights, own: Rights): Permission[] => [...wanted].filter((each) => !own.has(each));

export const may = ({ rights }: Pick<Caller, "rights">, permission: Permission): boolean => rights.has(permission);

/** Throws 403 for a caller without one of the permissions. */
export function requirePermissions(caller: Caller, permissions: readonly Permission[]): void {
  const lacking = permissions.find((each) => !may(caller, each));
  if (lacking === undefined) return;
  throw caller.actor.type === "user"
    ? roleTooLow(lacking)
    : insufficientScope(`This API key lacks the scope ${lacking}.`);
}

/** 403 of a key that is used beyond its scopes, or would give more than it has. */
export const insufficientScope = (message: string): ApiError => new ApiError(403, "insufficient_scope", message);

const roleTooLow = (lacking: Permission): ApiError => {
  const roles = rolesWith([lacking]);
  const who = roles.length === 1 ? `an ${roles[0]}` : `an ${roles.join(" or ")}`;
  return new ApiError(403, "forbidden", `Only ${who} of your organization may do this.`);
};
