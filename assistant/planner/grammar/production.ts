import type { Subject } from "../../catalog/field.ts";
import type { Plan } from "../../plan.ts";
import type { Piece } from "./piece.ts";

/** What the question is about and when it is asked. */
export interface Setting {
  readonly subject: Subject;
  readonly now: number;
  readonly zone: string;
  /** Where a question is to be asked back, what may be meant two ways is read in both. */
  readonly isOpen?: boolean;
  /** The plan of the answer before, which a follow-up edits. */
  readonly previous?: Plan | undefined;
}

/** The piece that the parts make together; undefined where these words do not go together. */
export type Make = (setting: Setting, ...parts: readonly Piece[]) => Piece | undefined;

/**
 * One way to say a thing: `name → symbols`. Symbols in capitals are words of the question by their kind, those in small
 * letters are productions, 'quoted' ones are single words; "?" marks what may be left out, "|" parts alternatives. `^` and
 * `$` are the question's ends, "!" says what must not follow, "&" what must, and "~" which word must not stand before. `make` gets the part of each symbol, but for those that only join or lead (`mute`); the part
 * of what is left out is empty. Without `make` the parts are unified.
 */
export interface Production {
  readonly name: string;
  readonly symbols: readonly Symbol[];
  readonly make: Make | undefined;
}

interface Symbol {
  readonly names: readonly string[];
  readonly isOptional: boolean;
  readonly isMute: boolean;
}

const mute = new Set(["OF", "WITH", "ALL", "AND", "OR", "BY", "EACH", "BUT", "VERSUS", "WHICH", "^", "$"]);

export function production(name: string, said: string, make?: Make): Production {
  const symbols = said.split(" ").map((symbol): Symbol => {
    const isOptional = symbol.endsWith("?");
    const names = symbol.replace(/\?$/, "").split("|");
    return { names, isOptional, isMute: names.every((each) => /^['!&~]/.test(each) || mute.has(each)) };
  });
  return { name, symbols, make };
}

/** How many groups a ranking shows where no number is said. */
export const defaultTop = 10;
/** How many records a list shows where no number is said. */
export const mostListed = 100;
