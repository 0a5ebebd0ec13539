import type { OrgId } from "../../ingest/primitives.ts";
import type { OrgConfig } from "./org-config.ts";
import type { Resource } from "./registry.ts";

/**
 * Organizations that have a number of this E.164 form, who had it first before the others: nobody takes it from them by
 * adding it, too. One that has released it does not count beside another.
 */
export function numberHolders(configs: readonly OrgConfig[], e164: string): readonly OrgId[] {
  const all = configs.flatMap((config) => config.number(e164) ?? []);
  const held = all.filter(({ status }) => status !== "released");
  return (held.length > 0 ? held : all)
    .toSorted((one, other) => (tenureOf(one) < tenureOf(other) ? -1 : 1))
    .map(({ org_id }) => org_id);
}

/** Sorts as tenure does, the same in every process; rows from before it was kept have had their number from the first. */
const tenureOf = ({ held_since, created_at, org_id }: Resource<"number">): string =>
  `${held_since ?? created_at} ${org_id}`;
