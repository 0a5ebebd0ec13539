/**
 * The same function, made to remember what it gave for the `limit` keys that were asked for last. For what is dear to
 * make and asked for again and again: formatters of time zones, compiled patterns.
 */
export function remember<T>(limit: number, make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const known = made.has(key);
    const value = known ? (made.get(key) as T) : make(key);
    // A map keeps the order of insertion, so what was asked for last stands last.
    if (known) made.delete(key);
    else if (made.size >= limit) made.delete(made.keys().next().value as string);
    made.set(key, value);
    return value;
  };
}

/** Likewise for what is made of an object, for as long as there is that object: of a document until it is changed. */
export function rememberFor<O extends object, T>(make: (owner: O) => T): (owner: O) => T {
  const made = new WeakMap<O, { readonly value: T }>();
  return (owner) => {
    const known = made.get(owner) ?? { value: make(owner) };
    made.set(owner, known);
    return known.value;
  };
}
