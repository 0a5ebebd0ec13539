import type { Clock } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { ApiError } from "../serve/errors.ts";
import { allRights } from "../serve/rights.ts";
import type { Actor } from "./audit-outbox.ts";
import type { Document } from "./document.ts";
import type { OrgConfig } from "./org-config.ts";
import { isPaused, type PauseState } from "./pause.ts";
import { definitions, type ResourceType } from "./registry.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { ResourceService } from "./service.ts";
import type { Snapshot } from "./snapshot.ts";

/** Interval of the search for expired pauses. */
export const expiredPausesEveryMs = 60_000;

export interface ExpiredPausesDeps {
  readonly snapshot: Pick<Snapshot, "configs">;
  readonly service: Pick<ResourceService, "edit">;
  readonly clock: Clock;
}

interface Pausable {
  readonly pause?: PauseState | null | undefined;
}

/**
 * Clears expired pauses and records that in the audit log as `expire_pause`. Decisions and answers do not
 * depend on it. Expired pauses are found in memory; the edit itself sees when another process has cleared one already.
 */
export async function clearExpiredPauses({ snapshot, service, clock }: ExpiredPausesDeps): Promise<void> {
  const now = clock.now();
  for (const config of snapshot.configs()) {
    const actor = actorFor(config.organization.id);
    for (const { definition, id } of findExpired(config, now)) {
      const edit = { id, action: "expire_pause", apply: withoutExpired } as const;
      await service.edit(definition, actor, edit).catch((error: unknown) => {
        // Deleted, or being changed by others at this moment: the next run sees what is left to do.
        if (!(error instanceof ApiError)) throw error;
      });
    }
  }
}

const actorFor = (orgId: OrgId): Actor => ({
  caller: {
    orgId,
    actor: { type: "system", id: "pause_sweep", name: "End of a pause" },
    admin: false,
    rights: allRights,
  },
  requestId: null,
  sourceIp: null,
});

function findExpired(config: OrgConfig, now: number) {
  const found: { readonly definition: ResourceDefinition; readonly id: string }[] = [];
  for (const definition of definitions.values()) {
    if (!definition.pausable && definition.type !== "campaign") continue;
    for (const doc of config.all(definition.type as ResourceType) as unknown as readonly Document[]) {
      if (hasExpired(doc, now) || rowsOf(doc).some((row) => hasExpired(row, now)))
        found.push({ definition, id: doc.id });
    }
  }
  return found;
}

const hasExpired = ({ pause }: Pausable, now: number): boolean => pause != null && !isPaused(pause, now);

/** Returns the number rows of a campaign, which are paused individually. */
const rowsOf = (doc: Document): readonly Pausable[] => (doc["number_group_items"] as Pausable[] | undefined) ?? [];

/** Returns the document without its expired pauses, the same one if it has none. */
function withoutExpired(doc: Document, now: number): Document {
  const isExpired = hasExpired(doc, now);
  const rows = rowsOf(doc);
  if (!isExpired && !rows.some((row) => hasExpired(row, now))) return doc;
  const clear = (row: Pausable) => (hasExpired(row, now) ? { ...row, pause: null } : row);
  return {
    ...doc,
    ...(rows.length > 0 ? { number_group_items: rows.map(clear) } : {}),
    ...(isExpired ? { pause: null, resumed_at: doc.pause?.paused_until ?? "" } : {}),
  };
}
