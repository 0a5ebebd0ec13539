import { isDeepStrictEqual } from "node:util";
import type { Filter, FilterOp, Period, Plan, RunningGrain, SubjectName } from "../../plan.ts";
import type { NumberUnit } from "../link/item.ts";

/** The part of a plan that a stretch of a question states. Pieces are immutable; two of them join with `unify`. */
export interface Piece {
  readonly measures?: readonly string[];
  /** The records' own noun is said: they are counted where nothing else is measured. */
  readonly noun?: true;
  /** Dimensions and grains. */
  readonly groups?: readonly string[];
  readonly filters?: readonly Filter[];
  readonly having?: readonly Filter[];
  /** Conditions with alternatives, which tell nothing of a single field. */
  readonly anyOf?: readonly Filter[];
  readonly period?: Period | null;
  readonly versus?: Versus;
  /** The group that is ranked or asked for ("which publisher"); `limit` counts its values. */
  readonly ranked?: string;
  readonly asked?: "one" | "many";
  readonly orderBy?: string;
  readonly direction?: "asc" | "desc";
  /** Ranked by how far the figure moved between two periods. */
  readonly changes?: true;
  /** Those that moved in the direction of the ranking alone. */
  readonly only?: true;
  /** "Dropped", "fewer than last week": of groups that are asked for, those alone. */
  readonly movedTo?: Moved;
  /** "The second best": how many come before. */
  readonly skip?: number;
  /** "Best", "worst": which end that is depends on the figure. */
  readonly quality?: true;
  /** "For the top 3 campaigns": of those, by something else. */
  readonly among?: true;
  /** "The highest revenue". */
  readonly isHighest?: true;
  readonly limit?: number;
  readonly listing?: true;
  /** "The last 20": those alone, whatever they are ordered by. */
  readonly isLatest?: true;
  /** "Show me": a list only where it says which records. */
  readonly shown?: true;
  /** "Compare", "side by side": several names are groups. */
  readonly compares?: true;
  /** "Only over 20": of the one figure that is shown. */
  readonly ownLimit?: readonly Bound[];
  /** "With counts": of what else is said. */
  readonly isTally?: true;
  /** "From September to October" as one stretch, which a change cannot be over. */
  readonly isRange?: true;
  /** "From September to October" as the one against the other. */
  readonly isHeld?: true;
  /** "In ms": the unit of one of the figures. */
  readonly unit?: string;
  /** "Right now": of what is live. */
  readonly isNow?: true;
  /** "How are calls converting": asks for the rate, where it is said, too. */
  readonly isGoingOn?: true;
  /** "What got deleted": which things, where nothing else is grouped by. */
  readonly things?: true;
  /** "How many calls": how many in all. */
  readonly isCounted?: true;
  /** What a limit was said of: "campaigns with over 100 calls". */
  readonly heads?: readonly string[];
  /** "With caller id and payout": what a list shows of each record. */
  readonly showsColumns?: true;
  /** "During business hours": those of most. */
  readonly isAtWork?: true;
  /** "Over 5 minutes": of how long the records last, where nothing else is named that may. */
  readonly isOfLength?: true;
  /** "On Monday": of each in a longer time that is said. */
  readonly isOfEachWeek?: true;
  /** "Both Acme and Best". */
  readonly isBoth?: true;
  /** "Top 3" behind another end: how many. */
  readonly isCount?: true;
  /** "As a rate", of a count; "as a percentage of their calls", of what each group has. */
  readonly asRate?: "of all" | "of theirs";
  /** "Per connected call": what the figures are divided by, wherever that is said. */
  readonly per?: string;
  /** "And what percentage is that": beside the count. */
  readonly rateToo?: true;
  /** "The most, and the least", "all of them": all in order. */
  readonly bothEnds?: "said" | "of all";
  /** "Each of them": of several. */
  readonly ofEach?: true;
  /** "On average": of a figure that is one. */
  readonly isMean?: true;
  /** A fact and its opposite, side by side: the groups of other figures. */
  readonly contrast?: string;
  /** "Than it is on Fridays", "and what was it for Best": the side, of the same figure, that another one is held against. */
  readonly heldTo?: Piece;
  /** "Which is better": by some figure. */
  readonly better?: true;
  /** "How much", "by how much", "and what is it": an amount, which no count is, a difference, the figure of what is ranked, or its name. */
  readonly howMuch?: "amount" | "difference" | "of the ranked" | "which of them";
  /** "Combinations": each pair of the groups by itself. */
  readonly pairs?: true;
  /** Groups that others are ranked within: "per campaign". */
  readonly each?: readonly string[];
  readonly trend?: true;
  /** A number of each record that they are counted by in steps, and how wide those are. */
  readonly spread?: string;
  readonly step?: { readonly width: number; readonly unit: NumberUnit };
  /** What reasons are the reasons of; by their own wording, whatever else is said. */
  readonly counts?: { readonly measure: string; readonly isOwn: boolean };
  /** "Timeouts": a name of records that is a figure by itself. */
  readonly isFigure?: true;
  /** "Most often". */
  readonly often?: true;
  /** "Losing money". */
  readonly loses?: true;
  /** How many figures are of those records alone. */
  readonly those?: number;
  /** Groups that come after the others: reasons, deeds. */
  readonly last?: readonly string[];
  /** "Why": by their reasons, where records have some. */
  readonly reasons?: true;
  /** "List", "the longest call of each": no plan has single records and groups. */
  readonly lists?: true;
  readonly single?: true;
  /** "And how many converted": beside how many there are. */
  readonly besides?: true;
  /** "By publisher": of which all are shown, also where one was asked for. */
  readonly by?: readonly string[];
  /** "Calls last week …" leads, "… and the revenue" is said alongside: both are asked for. */
  readonly leads?: true;
  readonly alongside?: true;
  /** "Change in calls": against what is said elsewhere, else the period before. */
  readonly moves?: true;
  readonly share?: true;
  readonly portion?: readonly Filter[];
  readonly running?: Plan["running"];
  readonly runningOver?: number;
  readonly overGroups?: Plan["over_groups"];
  readonly averagePer?: Plan["average_per"];
  readonly chart?: Plan["chart"];
  /** What only an answer before gives sense to; `edits.ts` has how it is said. */
  readonly edit?: Edit;
  /** What the words are beside the plan, for the production that they stand in; it ends with that production. */
  readonly word?: Word;
}

/** The direction that a figure went: up, down, or to the better or worse end of what it measures. */
export type Moved = "up" | "down" | "better" | "worse";

/** What a follow-up does to the answer before, beside what it states. */
export interface Edit {
  /** It goes on from the answer before: "same for", "instead"; "they" and a leading "and" point at it. */
  readonly goesOn?: true;
  readonly points?: true;
  /** "For those": for the groups that are shown. */
  readonly ofShown?: true;
  /** "On those": of the records that were counted. */
  readonly ofCounted?: true;
  /** It goes on, unless it is a whole question: "only", "now"; and what is made of the figures before. */
  readonly narrows?: true;
  readonly ofBefore?: true;
  /** Beside what is there, not in its stead: "also profit". */
  readonly more?: Piece;
  /** Names of figures, groups and fields of conditions that go: "without the buyer", "by campaign instead of buyer". */
  readonly removed?: readonly string[];
  /** "Forget Texas": of several names one, of a single one the condition. */
  readonly takesOut?: true;
  /** "Instead": the figure that ranked is no longer shown. */
  readonly instead?: true;
  /** "Split by": a series keeps its time. */
  readonly divides?: true;
  readonly asRate?: true;
  /** "And the month before". */
  readonly movesBack?: RunningGrain | "period";
  /** "Which of them are up". */
  readonly moved?: "up" | "down";
  /** "List them", "how many of those". */
  readonly those?: "listed" | "counted";
  /** "In that period": of the answer before, asked by itself. */
  readonly thatPeriod?: true;
  /** "Same for webhooks". */
  readonly subject?: SubjectName;
  /** "Overall": of all groups, or of all time? */
  readonly asks?: { readonly sentence: string; readonly options: readonly string[] };
  /** "Just the total", "drop all filters", "no minimum", "as numbers". */
  readonly drops?: readonly ("groups" | "filters" | "bounds" | "shares" | "limit")[];
}

/** The period that another one is held against: one that is named, the one before, or the same one a year before. */
export type Versus =
  | {
      readonly kind: "period";
      readonly period: Period;
      readonly isJoined?: true;
      readonly isSame?: true;
      readonly mayBeNow?: true;
    }
  /** `length`: "4 weeks", which the first one has to be as well. */
  | { readonly kind: "before"; readonly isUnit?: true; readonly length?: string }
  /** "The Monday before". */
  | { readonly kind: "weekday before"; readonly day: Period }
  | { readonly kind: "days before"; readonly days: number }
  | { readonly kind: "year before"; readonly unit: string }
  | { readonly kind: "over"; readonly grain: string };

export interface Word {
  readonly said?: string;
  readonly isPlural?: boolean;
  readonly number?: number;
  readonly unit?: NumberUnit;
  readonly hour?: number;
  readonly op?: FilterOp;
  readonly quantity?: string;
  readonly statistic?: string;
  readonly statistics?: readonly string[];
  readonly flag?: string;
  readonly bounds?: readonly Bound[];
}

/** "Over 5 minutes". */
export interface Bound {
  readonly op: FilterOp;
  readonly value: number;
  readonly unit: NumberUnit;
  /** "Twice", "4 times". */
  readonly isTimes?: true;
}

const lists = [
  "measures",
  "groups",
  "last",
  "anyOf",
  "having",
  "portion",
  "each",
  "by",
  "heads",
  "overGroups",
] as const;
const isList = (key: string): boolean => key === "filters" || lists.some((name) => name === key);

/** Both pieces as one; undefined where they contradict each other. */
export function unify(a: Piece, b: Piece): Piece | undefined {
  const { word: _a, edit: before, ...one } = a;
  const { word: _b, edit: behind, ...other } = b;
  for (const [key, value] of Object.entries(one)) {
    const said: unknown = other[key as keyof typeof other];
    if (said !== undefined && !isList(key) && !isDeepStrictEqual(value, said)) return undefined;
  }
  // "What percentage was billable, and what percentage was payable": two questions.
  if (one.portion && other.portion && !isDeepStrictEqual(one.portion, other.portion)) return undefined;
  const filters = withoutImplied(joined(one.filters, other.filters));
  if (filters !== undefined && contradicts(filters)) return undefined;
  const edit = before && behind ? unifyEdits(before, behind) : (before ?? behind);
  if (edit === undefined && before !== undefined) return undefined;
  return {
    ...one,
    ...other,
    ...(filters && { filters }),
    ...(edit && { edit }),
    ...(Object.assign({}, ...lists.map((key) => named(key, joined<unknown>(one[key], other[key])))) as Piece),
  };
}

function unifyEdits(a: Edit, b: Edit): Edit | undefined {
  const more = a.more && b.more ? unify(a.more, b.more) : (a.more ?? b.more);
  const differs = (["those", "movesBack", "subject"] as const).some((key) => a[key] && b[key] && a[key] !== b[key]);
  if (differs || (more === undefined && a.more !== undefined)) return undefined;
  return {
    ...a,
    ...b,
    ...named("more", more),
    ...named("removed", joined(a.removed, b.removed)),
    ...named("drops", joined(a.drops, b.drops)),
  };
}

const named = <K extends string, T>(key: K, value: T | undefined) =>
  value === undefined ? undefined : ({ [key]: value } as Record<K, T>);

/** Without what is said twice. */
function joined<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return [...a, ...b.filter((each) => !a.some((other) => isDeepStrictEqual(each, other)))];
}

/** "By people, not the system": who is a person is not the system. */
function withoutImplied(filters: readonly Filter[] | undefined): readonly Filter[] | undefined {
  const isImplied = ({ field, op, values }: Filter) =>
    op === "is_not" &&
    filters?.some(
      (each) => each.field === field && each.op === "is" && !each.values.some((value) => values.includes(value)),
    );
  return filters?.some(isImplied) ? filters.filter((each) => !isImplied(each)) : filters;
}

/** Two names of one field are one condition where they are said as a list; said apart they exclude each other. */
const contradicts = (filters: readonly Filter[]): boolean =>
  filters.some((one, at) =>
    filters
      .slice(at + 1)
      .some(
        (other) =>
          other.field === one.field &&
          (one.op === "is" || (one.op === "is_not" && other.op === "is") || isNever(one, other) || isNever(other, one)),
      ),
  );

/** "Before noon" and "after noon" at once. */
const isNever = (least: Filter, most: Filter): boolean =>
  /^(at_least|more_than)$/.test(least.op) &&
  most.op === "less_than" &&
  Number(least.values[0]) >= Number(most.values[0]);

/** All together; undefined where one is, or where they contradict each other. */
export const both = (...pieces: readonly (Piece | undefined)[]): Piece | undefined =>
  pieces.reduce((all, piece) => all && piece && unify(all, piece));

/** A single piece stays as it is, with its words. */
export const unifyAll = (pieces: readonly Piece[]): Piece | undefined =>
  pieces.length === 1 ? pieces[0] : pieces.reduce<Piece | undefined>((all, piece) => all && unify(all, piece), {});
