import type { Turn } from "./turn.ts";
import { turnsOfConditions } from "./turns-of-conditions.ts";
import { turnsOfFigures } from "./turns-of-figures.ts";
import { turnsOfLists } from "./turns-of-lists.ts";
import { turnsOfReasons } from "./turns-of-reasons.ts";

const turns: readonly Turn[] = [...turnsOfReasons, ...turnsOfFigures, ...turnsOfConditions, ...turnsOfLists];

/** The question in plain words, where it has such a turn; what stands in quotes is a name, and left as it is. */
export function withPlainTurns(question: string): string {
  const quoted: string[] = [];
  const masked = question.replace(/["“][^"“”]+["”]/gu, (name) => `quoted${quoted.push(name) - 1}quoted`);
  const plain = turns.reduce((text, [said, meant]) => text.replace(said, meant), masked);
  return quoted.length === 0
    ? plain
    : plain.replace(/quoted(\d+)quoted/gu, (_, at: string) => quoted[Number(at)] ?? "");
}
