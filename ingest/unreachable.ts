/**
 * Ends a switch over a union: the compiler proves that it is never reached. The analysts' page imports this file, too: it
 * imports nothing.
 */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
