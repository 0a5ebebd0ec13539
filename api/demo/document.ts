import type { OrgId } from "../../ingest/primitives.ts";
import type { ResourceInput, ResourceType } from "../config/resources.ts";

/** One config document together with its kind. */
export type DemoDocument = { [T in ResourceType]: { readonly type: T; readonly doc: ResourceInput<T> } }[ResourceType];

/** What every document of one organization is made with. */
export interface Stamp {
  /** The id of a named thing: the same for the same seed. */
  id(kind: string, name: string): string;
  readonly about: { readonly org_id: OrgId; readonly created_at: string; readonly updated_at: string };
}
