/** Documents of one kind by what only one of them has: the last that was put with it. */
export function createLookup<D extends { readonly id: string }>(keyOf: (doc: D) => string) {
  const byKey = new Map<string, D>();
  return {
    get: (key: string): D | undefined => byKey.get(key),
    put(doc: D): void {
      byKey.set(keyOf(doc), doc);
    },
    /** What was this document's may be another's by now: changes come in any order. */
    remove(doc: D): void {
      if (byKey.get(keyOf(doc))?.id === doc.id) byKey.delete(keyOf(doc));
    },
  };
}
