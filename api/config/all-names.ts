import type { OrgId } from "../../ingest/primitives.ts";
import type { Queryable } from "../database/database.ts";
import { findNames } from "./documents.ts";
import type { FindName, Reference, ResourceDefinition } from "./resource.ts";

export type FindAllNames = (db: Queryable, orgId: OrgId, references: readonly Reference[]) => Promise<FindName>;

/** Finds the names of what is referenced, with one query for each kind. */
export const allNamesFinder =
  (definitions: ReadonlyMap<string, ResourceDefinition>): FindAllNames =>
  async (db, orgId, references) => {
    const names = new Map<string, Map<string, string>>();
    for (const type of new Set(references.map((each) => each.type))) {
      const ids = [...new Set(references.filter((each) => each.type === type).map(({ id }) => id))];
      const nameField = definitions.get(type)?.nameField ?? "name";
      names.set(type, await findNames(db, orgId, { type, ids, nameField }));
    }
    return (type, id) => {
      const name = id === undefined ? undefined : names.get(type)?.get(id);
      return id === undefined || name === undefined ? null : { id, name };
    };
  };
