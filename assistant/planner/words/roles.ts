import { conditionWords } from "./role-words-conditions.ts";
import { shapeWords } from "./role-words-shape.ts";

/** How each role is said. */
export const roleWords = { ...shapeWords, ...conditionWords };

/** What small words do in a question. */
export type Role = keyof typeof roleWords;
