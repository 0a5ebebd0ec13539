import { type Reading, senses } from "./reading.ts";

/** "Response codes by webhook, failures only": which records, where something else is asked of them. */
export const isOnlyBehind = (reading: Reading, index: number): boolean =>
  /^only$/i.test(reading.items[index + 1]?.said ?? "") &&
  reading.items
    .slice(0, index)
    .some((_, at) => senses(reading, at).some(({ kind }) => /^(subject|measure)$/.test(kind)));
