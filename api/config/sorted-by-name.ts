import type { OrgConfig } from "./org-config.ts";
import type { Resource, ResourceType } from "./registry.ts";

/** Types of resources that have a name. */
export type NamedType = {
  [T in ResourceType]: Resource<T> extends { readonly name: string } | { readonly rtb_name: string } ? T : never;
}[ResourceType];

export const nameOf = (doc: { readonly name: string } | { readonly rtb_name: string }): string =>
  "rtb_name" in doc ? doc.rtb_name : doc.name;

const byName = new Intl.Collator("en", { numeric: true }).compare;

interface Sorted {
  readonly version: number;
  readonly byType: Map<NamedType, readonly unknown[]>;
}
const sortedByConfig = new WeakMap<OrgConfig, Sorted>();

/** An organization's resources of a type by name; sorted anew after a change of the config alone: the page asks every few seconds. */
export function sortedByName<T extends NamedType>(config: OrgConfig, type: T): readonly Resource<T>[] {
  let sorted = sortedByConfig.get(config);
  if (sorted?.version !== config.version) {
    sorted = { version: config.version, byType: new Map() };
    sortedByConfig.set(config, sorted);
  }
  const known = sorted.byType.get(type) as readonly Resource<T>[] | undefined;
  if (known !== undefined) return known;
  const found = config.all(type).toSorted((one, other) => byName(nameOf(one as Named), nameOf(other as Named)));
  sorted.byType.set(type, found);
  return found;
}
type Named = Resource<NamedType>;

/** Returns the documents whose name contains the text, in any case; all of them for an empty text. */
export function withNameLike<D extends Parameters<typeof nameOf>[0]>(docs: readonly D[], search: string): readonly D[] {
  const wanted = search.trim().toLowerCase();
  return wanted === "" ? docs : docs.filter((doc) => nameOf(doc).toLowerCase().includes(wanted));
}
