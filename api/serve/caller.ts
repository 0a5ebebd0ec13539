import type { AuditRecord } from "../../ingest/audit.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Rights } from "./areas.ts";

/** The authenticated sender of a request. */
export interface Caller {
  readonly orgId: OrgId;
  readonly actor: { readonly type: AuditRecord["actor_type"]; readonly id: string; readonly name: string | null };
  /** True for an admin key of the organization or a token of one of its admins. */
  readonly admin: boolean;
  readonly rights: Rights;
}

/** The actor's name in the audit log and in `paused_by`: `api_key:<id>`, `user:<id>`. */
export const actorName = ({ actor }: Caller): string => `${actor.type}:${actor.id}`;
