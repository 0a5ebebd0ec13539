import { toWords } from "./tokenize.ts";
import type { Turn } from "./turn.ts";
import { turnsOfConditions } from "./turns-of-conditions.ts";
import { turnsOfFigures } from "./turns-of-figures.ts";
import { turnsOfLists } from "./turns-of-lists.ts";
import { turnsOfReasons } from "./turns-of-reasons.ts";

/** In this order: what one has put into plain words the next ones see. */
export const turns: readonly Turn[] = [...turnsOfReasons, ...turnsOfFigures, ...turnsOfConditions, ...turnsOfLists];

/**
 * The question in plain words, where it has such a turn. Names are left as they are: what stands in double quotes, and what is
 * one of the organization's own, told by the names that a word occurs in.
 */
export function withPlainTurns(question: string, namesWith?: ReadonlyMap<string, readonly string[]>): string {
  const plain = turned(question);
  if (plain === question || namesWith === undefined) return plain;
  const broken = namesIn(question, namesWith).filter((name) => !holds(plain, name));
  return broken.length === 0 ? plain : turned(quoting(question, broken));
}

function turned(question: string): string {
  const quoted: string[] = [];
  const masked = question.replace(/["“][^"“”]+["”]/gu, (name) => `quoted${quoted.push(name) - 1}quoted`);
  const plain = turns.reduce((text, [said, meant]) => text.replace(said, meant), masked);
  return quoted.length === 0
    ? plain
    : plain.replace(/quoted(\d+)quoted/gu, (_, at: string) => quoted[Number(at)] ?? "");
}

const holds = (text: string, name: string): boolean => text.toLowerCase().includes(name.toLowerCase());

/** The longest first; a name of one word is no turn of phrase. */
function namesIn(question: string, namesWith: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const known = toWords(question).flatMap(({ stem }) => namesWith.get(stem) ?? []);
  return [...new Set(known)]
    .filter((name) => name.includes(" ") && !name.includes('"') && holds(question, name))
    .sort((a, b) => b.length - a.length);
}

function quoting(question: string, names: readonly string[]): string {
  const any = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")).join("|");
  return question.replace(new RegExp(`"[^"]*"|(${any})`, "giu"), (all, name?: string) =>
    name === undefined ? all : `"${name}"`,
  );
}
