import type { OrgId } from "../../ingest/primitives.ts";

/** What every document of one organization is made with. */
export interface Stamp {
  /** The id of a named thing: the same for the same seed. */
  id(kind: string, name: string): string;
  readonly about: { readonly org_id: OrgId; readonly created_at: string; readonly updated_at: string };
}
