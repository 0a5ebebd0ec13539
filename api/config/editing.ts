import { type Clock, isoTime } from "../../ingest/clock.ts";
import { actorName } from "../serve/caller.ts";
import type { Actor } from "./audit.ts";
import type { createChanges } from "./changes.ts";
import { type createEdits, type Edit, mustFind } from "./edits.ts";
import { changeOf, type Document, type Fields, merge, prepare, unwritable } from "./fields.ts";
import { isPaused, type PauseRequest, toPauseState } from "./pause.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { createViews } from "./views.ts";

interface EditingDeps {
  readonly change: ReturnType<typeof createChanges>;
  readonly applyEdit: ReturnType<typeof createEdits>["applyEdit"];
  readonly toView: ReturnType<typeof createViews>["toView"];
  readonly clock: Clock;
}

/** Changes of documents that are there, each an audited action. */
export function createEditing({ change, applyEdit, toView, clock }: EditingDeps) {
  /** Changes a document by what `apply` makes of it, as one audited action. */
  function edit(definition: ResourceDefinition, actor: Actor, given: Edit): Promise<Fields> {
    return editAll(actor, [{ definition, ...given }]);
  }

  /**
   * Several edits, all of them or none, each with its audit record; an edit sees what those before it did. Returns the
   * last one's document as it is shown.
   */
  function editAll(
    actor: Actor,
    edits: readonly (Edit & { readonly definition: ResourceDefinition })[],
  ): Promise<Fields> {
    const now = clock.now();
    return change(async (db) => {
      const edited: { definition: ResourceDefinition; doc: Document }[] = [];
      for (const { definition, ...given } of edits) {
        const stored = await mustFind(db, actor.caller.orgId, { definition, id: given.id });
        edited.push({ definition, doc: await applyEdit(db, { definition, actor, stored, given, now }) });
      }
      const last = edited.at(-1);
      const result = last === undefined ? {} : await toView(db, last.definition, last.doc);
      return { result, changes: edited.map(({ definition, doc }) => changeOf(definition, doc)) };
    });
  }

  const patch = (definition: ResourceDefinition, actor: Actor, { id, input }: { id: string; input: Fields }) =>
    edit(definition, actor, { id, action: "update", apply: patched(definition, input) });

  const pause = (
    definition: ResourceDefinition,
    actor: Actor,
    { id, request }: { id: string; request: PauseRequest },
  ) =>
    edit(definition, actor, {
      id,
      action: "pause",
      apply: (doc, now) => ({ ...doc, pause: toPauseState(request, actorName(actor.caller), now) }),
    });

  const resume = (definition: ResourceDefinition, actor: Actor, id: string): Promise<Fields> =>
    edit(definition, actor, { id, action: "resume", apply: resumed });

  return { edit, editAll, patch, pause, resume };
}

const patched =
  (definition: ResourceDefinition, input: Fields): Edit["apply"] =>
  (doc, now) => ({
    ...unwritable(definition, doc),
    ...prepare(definition, merge(definition, doc, input), {
      previous: doc,
      at: isoTime(now),
      sent: Object.keys(input),
    }),
  });

const resumed: Edit["apply"] = (doc, now) =>
  isPaused(doc.pause, now) ? { ...doc, pause: null, resumed_at: isoTime(now) } : doc;
