/** Half a surrogate pair has no encoding. */
export const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));

/** The value at one of the places of a document replaced, dropped when there is no value, or joined by a new key. */
export function mutate(document: unknown, { at, value, key }: { at: number; value?: unknown; key: string }): unknown {
  const copy = structuredClone(document);
  const holders: Record<string, unknown>[] = [];
  const collect = (each: unknown): void => {
    if (typeof each !== "object" || each === null) return;
    holders.push(each as Record<string, unknown>);
    Object.values(each).forEach(collect);
  };
  collect(copy);
  const places = holders.flatMap((holder) => [...Object.keys(holder).map((name) => [holder, name] as const)]);
  const [holder, name] = places[at % (places.length + 1)] ?? [holders[0], key];
  if (holder === undefined) return value;
  if (value === undefined && !Array.isArray(holder)) delete holder[name];
  else Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}
