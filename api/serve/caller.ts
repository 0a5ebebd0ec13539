import type { AuditRecord } from "../../ingest/audit.ts";
import type { OrgId } from "../../ingest/primitives.ts";

/** The authenticated sender of a request. */
export interface Caller {
  readonly orgId: OrgId;
  readonly actor: { readonly type: AuditRecord["actor_type"]; readonly id: string; readonly name: string | null };
  /** True for an admin key of the organization or a token of one of its admins. */
  readonly admin: boolean;
}

/** True for keys, which are the organization's own systems, and for users who are admins. */
export const isKeyOrAdmin = ({ actor, admin }: Caller): boolean => actor.type !== "user" || admin;

/** The actor's name in the audit log and in `paused_by`: `api_key:<id>`, `user:<id>`. */
export const actorName = ({ actor }: Caller): string => `${actor.type}:${actor.id}`;
