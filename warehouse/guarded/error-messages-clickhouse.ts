import type { WarehouseError } from "../warehouse.ts";
import { noSuchTable, refuse } from "./tree.ts";

/** Numbers of the engine's table of errors. */
export const syntaxError = "62";
const unknownTable = "60";
const unknownName = "47";
const tooMuchMemory = "241";

interface Said {
  readonly code: string;
  readonly message: string;
  /** Names around the text that the engine's messages may contain and its author must not see. */
  readonly hidden: readonly string[];
}

/** Converts the engine's message for the text's author: without what surrounds the text, and without its scope. */
export function toWords(said: Said, cause: unknown): WarehouseError {
  const isHidden = (words: string) =>
    words.length >= 300 || said.hidden.some((name) => words.includes(name)) || /organization|AS result/.test(words);
  const own = ofText(said);
  if (own !== null && !isHidden(own.name)) return refuse(own.sentence, { cause });
  const [start = ""] = said.message.split(/:? ?(?:[Ii]n scope|While processing|while executing|Maybe you meant)/);
  if (isHidden(start)) return refuse("The query cannot run as it is. Make it simpler.", { cause });
  return refuse(`The query cannot run: ${start.trim().replace(/[.:,\s]*$/, ".")}`, { cause, mentionsRowValues: true });
}

/** For errors in the text itself, whatever the rows: the name at fault, and what to do. */
function ofText({ code, message }: Said): { name: string; sentence: string } | null {
  if (code === tooMuchMemory) {
    return {
      name: "",
      sentence: "The query needs more memory than there is. Ask for a shorter period or fewer columns.",
    };
  }
  const [, name = ""] = atFault[code]?.exec(message) ?? [];
  if (name === "") return null;
  if (code === unknownTable) return { name, sentence: noSuchTable(name) };
  if (code === unknownName) return { name, sentence: `The query cannot run: "${name}" not found.` };
  const place = name === "end of query" ? "at its end" : `at "${name}"`;
  return { name, sentence: `The query cannot be read: syntax error ${place}.` };
}

/** Patterns of the name in the engine's messages. */
const atFault: Readonly<Record<string, RegExp>> = {
  [syntaxError]: /failed at position \d+ \((.+?)\)(?: \(line \d+, col \d+\))?:/s,
  [unknownTable]: /identifier '([^']+)'/,
  [unknownName]: /[Ii]dentifier [`']([^`']+)[`']/,
};
