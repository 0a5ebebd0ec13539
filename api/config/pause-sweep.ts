import type { Clock } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { ApiError } from "../serve/errors.ts";
import type { Actor } from "./audit.ts";
import type { Document } from "./fields.ts";
import type { OrgConfig } from "./org-config.ts";
import { isPaused, type PauseState } from "./pause.ts";
import { definitions, type ResourceType } from "./registry.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { ResourceService } from "./service.ts";
import type { Snapshot } from "./snapshot.ts";

export interface PauseSweepDeps {
  readonly snapshot: Pick<Snapshot, "configs">;
  readonly service: Pick<ResourceService, "edit">;
  readonly clock: Clock;
}

interface Pausable {
  readonly pause?: PauseState | null | undefined;
}

/**
 * Clears the pauses that are over, and has the audit log say so (semantics 8.1: `expire_pause`). Decisions and answers
 * do not wait for it. What is looked at is in memory; the change itself sees whether another process has made it already.
 */
export async function sweepPauses({ snapshot, service, clock }: PauseSweepDeps): Promise<void> {
  const now = clock.now();
  for (const config of snapshot.configs()) {
    const actor = actorFor(config.organization.id);
    for (const { definition, id } of findEnded(config, now)) {
      const edit = { id, action: "expire_pause", apply: withoutEnded } as const;
      await service.edit(definition, actor, edit).catch((error: unknown) => {
        // It was deleted, or others change it at this moment: the next sweep sees what is left to do.
        if (!(error instanceof ApiError)) throw error;
      });
    }
  }
}

const actorFor = (orgId: OrgId): Actor => ({
  caller: { orgId, actor: { type: "system", id: "pause_sweep", name: "End of a pause" }, admin: false },
  requestId: null,
  sourceIp: null,
});

function findEnded(config: OrgConfig, now: number) {
  const found: { readonly definition: ResourceDefinition; readonly id: string }[] = [];
  for (const definition of definitions.values()) {
    if (!definition.pausable && definition.type !== "campaign") continue;
    for (const doc of config.all(definition.type as ResourceType) as unknown as readonly Document[]) {
      if (hasEnded(doc, now) || rowsOf(doc).some((row) => hasEnded(row, now))) found.push({ definition, id: doc.id });
    }
  }
  return found;
}

const hasEnded = ({ pause }: Pausable, now: number): boolean => pause != null && !isPaused(pause, now);

/** Of a campaign its numbers, which are paused by themselves. */
const rowsOf = (doc: Document): readonly Pausable[] => (doc["number_group_items"] as Pausable[] | undefined) ?? [];

/** The document without its pauses that are over, or the same one where it has none. */
function withoutEnded(doc: Document, now: number): Document {
  const ended = hasEnded(doc, now);
  const rows = rowsOf(doc);
  if (!ended && !rows.some((row) => hasEnded(row, now))) return doc;
  const clear = (row: Pausable) => (hasEnded(row, now) ? { ...row, pause: null } : row);
  return {
    ...doc,
    ...(rows.length > 0 ? { number_group_items: rows.map(clear) } : {}),
    ...(ended ? { pause: null, resumed_at: doc.pause?.paused_until ?? "" } : {}),
  };
}
