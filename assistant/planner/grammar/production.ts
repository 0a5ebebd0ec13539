import type { Subject } from "../../catalog/field.ts";
import type { Plan } from "../../plan.ts";
import { type Piece, unifyAll } from "./piece.ts";

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

/** The productions of a grammar by what they are called. */
export const byName = (all: readonly Production[]): ReadonlyMap<string, readonly Production[]> =>
  new Map([...new Set(all.map(({ name }) => name))].map((name) => [name, all.filter((each) => each.name === name)]));

/** How many groups a ranking shows where no number is said. */
export const defaultTop = 10;
/** How many records a list shows where no number is said. */
export const mostListed = 100;

/** A stretch of the question, up to `to`, and what it says; of a production, by which and of what it is made. */
export interface Edge {
  readonly to: number;
  readonly piece: Piece;
  readonly rule?: Production;
  readonly of?: readonly Edge[];
}

/** Every production that an edge is made by. */
export const rulesIn = ({ rule, of = [] }: Edge): readonly Production[] => [
  ...(rule === undefined ? [] : [rule]),
  ...of.flatMap(rulesIn),
];

/** The terminals at a place of the question, by their kind. */
export type Terminals = ReadonlyMap<string, readonly Piece[]>;

/** The first symbols of a production, as far as some place. */
interface Way {
  readonly to: number;
  readonly parts: readonly Piece[];
  readonly of: readonly Edge[];
}

const isMark = (name: string): boolean => /^[!^$~]/.test(name);

/** The productions that a question with such words may need, which are a small part of them. */
function fitting(
  productions: ReadonlyMap<string, readonly Production[]>,
  said: ReadonlySet<string>,
): ReadonlyMap<string, readonly Production[]> {
  let left = new Map(productions);
  for (;;) {
    const found = left;
    const isThere = (name: string): boolean => {
      if (isMark(name)) return true;
      const symbol = name.replace(/^&/, "");
      return (found.get(symbol)?.length ?? 0) > 0 || (!found.has(symbol) && said.has(symbol)) || /^[$^]/.test(symbol);
    };
    const next = new Map(
      [...found].map(([name, rules]) => [
        name,
        rules.filter(({ symbols }) => symbols.every(({ names, isOptional }) => isOptional || names.some(isThere))),
      ]),
    );
    if ([...next].every(([name, rules]) => rules.length === found.get(name)?.length)) return next;
    left = next;
  }
}

/** Edges from which on it is worth looking for those that say the same. */
const mayRepeat = 8;
/** Readings of one symbol over the same words at most: questions that are asked have three. */
const mostAlike = 8;

/**
 * The edges without those that say the same of the same words, and of the same words no more than can be told apart. A list
 * of lists is derived in many ways, and a name of several kinds read in each: both would multiply with every part of it.
 */
function distinct(edges: readonly Edge[]): readonly Edge[] {
  if (edges.length < mayRepeat) return edges;
  const alike = new Map<number, number>();
  return [...new Map(edges.map((edge) => [`${edge.to} ${JSON.stringify(edge.piece)}`, edge])).values()].filter(
    ({ to }) => {
      const count = (alike.get(to) ?? 0) + 1;
      alike.set(to, count);
      return count <= mostAlike;
    },
  );
}

/** A question that can be read in more ways than are worth trying. */
export class TooManyWaysError extends Error {
  override readonly name = "TooManyWaysError";
}

/** Ten times what the most ambiguous questions of the evaluation take, all their options included. */
const mostWays = 20_000;

/**
 * Returns every reading of a symbol that begins at a place; each is found once. Throws `TooManyWaysError` for a question
 * with too many.
 */
export function createChart(
  places: readonly Terminals[],
  productions: ReadonlyMap<string, readonly Production[]>,
  setting: Setting,
): (symbol: string, at: number) => readonly Edge[] {
  const known = new Map<string, readonly Edge[]>();
  const rulesOf = fitting(productions, new Set(places.flatMap((place) => [...place.keys()])));
  let tried = 0;

  function edgesOf(symbol: string, at: number): readonly Edge[] {
    if (symbol === "^") return at === 0 ? [{ to: at, piece: {} }] : [];
    if (symbol.startsWith("~")) return places[at - 1]?.has(symbol.slice(1)) ? [] : [{ to: at, piece: {} }];
    if (symbol.startsWith("&")) return edgesOf(symbol.slice(1), at).length > 0 ? [{ to: at, piece: {} }] : [];
    if (symbol.startsWith("!")) return edgesOf(symbol.slice(1), at).length === 0 ? [{ to: at, piece: {} }] : [];
    if (symbol === "$") return at === places.length ? [{ to: at, piece: {} }] : [];
    const rules = rulesOf.get(symbol);
    if (rules === undefined) return (places[at]?.get(symbol) ?? []).map((piece) => ({ to: at + 1, piece }));
    if (at >= places.length) return [];
    const key = `${symbol} ${at}`;
    const found = known.get(key) ?? distinct(rules.flatMap((rule) => applied(rule, at)));
    known.set(key, found);
    return found;
  }

  function applied(rule: Production, from: number): readonly Edge[] {
    const { symbols, make } = rule;
    let ways: readonly Way[] = [{ to: from, parts: [], of: [] }];
    for (const { names, isOptional, isMute } of symbols) {
      ways = ways.flatMap((way) => [
        ...names.flatMap((name) =>
          edgesOf(name, way.to).map((edge) => ({
            to: edge.to,
            parts: isMute ? way.parts : [...way.parts, edge.piece],
            of: [...way.of, edge],
          })),
        ),
        ...(isOptional ? [isMute ? way : { ...way, parts: [...way.parts, {}] }] : []),
      ]);
      if (ways.length === 0) return [];
      tried += ways.length;
      if (tried > mostWays) throw new TooManyWaysError(`The question can be read in more than ${mostWays} ways.`);
    }
    return ways.flatMap(({ to, parts, of }) => {
      const piece = make === undefined ? unifyAll(parts) : make(setting, ...parts);
      return piece === undefined ? [] : [{ to, piece, rule, of }];
    });
  }

  return edgesOf;
}
