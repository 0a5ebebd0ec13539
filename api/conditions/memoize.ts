/**
 * Memoizes a function of an object for as long as the object exists: what is compiled from a config document is kept
 * until the document is replaced.
 */
export function memoizeByObject<O extends object, T extends object | number | string | boolean>(
  compute: (owner: O) => T,
): (owner: O) => T {
  const results = new WeakMap<O, T>();
  return (owner) => {
    const known = results.get(owner);
    if (known !== undefined) return known;
    const result = compute(owner);
    results.set(owner, result);
    return result;
  };
}
