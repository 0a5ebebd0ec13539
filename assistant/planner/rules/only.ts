import { type Reading, senses } from "./reading.ts";

/** "But only Texas", "filter to missed": of a follow-up, which records it narrows to. */
export const saysOnly = ({ items }: Reading, index: number): boolean =>
  /^(but only|now only|only|just|filter to|limit to|restrict to)\b/i.test(items[index]?.said ?? "");

/** "Response codes by webhook, failures only": which records, where something else is asked of them. */
export const isOnlyBehind = (reading: Reading, index: number): boolean =>
  /^only$/i.test(reading.items[index + 1]?.said ?? "") &&
  (reading.follows ||
    reading.items
      .slice(0, index)
      .some((_, at) => senses(reading, at).some(({ kind }) => /^(subject|measure)$/.test(kind))));
