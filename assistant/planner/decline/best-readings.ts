import { catalog } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import { type Attempt, attempt } from "../grammar/readings.ts";
import { itemsThatTell, terminalsOf } from "../grammar/terminals.ts";
import { besideOthers } from "../link/beside.ts";
import type { Item } from "../link/item.ts";
import type { Meaning } from "../link/lexicon.ts";
import type { Linking } from "../link/name-index.ts";
import type { Role } from "../words/role-words.ts";

/** The best reading of one kind of records. */
export interface Reading extends Attempt {
  readonly subject: Subject;
  /** Words that mean something of other records alone, and known ones that the best reading leaves over. */
  readonly foreign: readonly Item[];
  readonly over: readonly Item[];
}

export const isUnknown = ({ kind }: Item): boolean => kind === "unknown";

function readingOf(items: readonly Item[], subject: Subject, { now, zone }: Linking): Reading {
  const known = items.filter((item) => !isUnknown(item));
  const isForeign = (item: Item) =>
    item.kind === "meanings" &&
    !item.meanings.some((meaning) => !("subject" in meaning) || meaning.subject === subject.name);
  // "Inactive buyers": what there is none of is no part of a plan.
  const isIdle = (item: Item) => hasKind(item, "role", "idle");
  const own = besideOthers(
    known.filter((item) => !isForeign(item) && !isIdle(item)),
    subject,
  );
  const tried = attempt(terminalsOf(own, subject, { isOpen: true }), { subject, now, zone, isOpen: true });
  const telling = itemsThatTell(own, subject);
  // "By publisher instead": without an answer before there is nothing that it goes on from.
  const over = tried.left.flatMap((at) => telling[at] ?? []).filter((item) => !hasKind(item, "role", "follow"));
  over.unshift(...known.filter(isIdle));
  return { ...tried, subject, foreign: known.filter(isForeign), over };
}

const names = (items: readonly Item[], subject: Subject): boolean =>
  items.some(
    (item) =>
      item.kind === "meanings" &&
      item.meanings.some((each) => each.kind === "subject" && each.subject === subject.name),
  );

const joints: readonly Role[] = ["of", "with", "and", "or", "by", "all", "which", "verb"];
/** A small word that only joins others: it stands alone where one of them does not fit. */
export const isJoint = (item: Item): boolean =>
  item.kind === "stop" ||
  (item.kind === "meanings" && item.meanings.every((each) => each.kind === "role" && joints.includes(each.role)));

/** The readings that leave the least over; those of records that are named come first, then in the catalog's order. */
export function bestReadings(items: readonly Item[], linking: Linking): readonly [Reading, ...Reading[]] {
  const weight = ({ foreign, over, subject, plans }: Reading) =>
    4 * foreign.length +
    3 * over.filter((item) => !isJoint(item)).length +
    over.length / 2 +
    (names(items, subject) ? 0 : subject.name === "calls" ? 1 : 4) +
    (plans.length === 0 ? 0.5 : 0);
  const readings = catalog.map((subject) => readingOf(items, subject, linking));
  const least = Math.min(...readings.map(weight));
  const [first, ...others] = readings.filter((reading) => weight(reading) === least);
  if (first === undefined) throw new Error("The catalog is empty.");
  return [first, ...others];
}

export const hasKind = (item: Item | undefined, kind: Meaning["kind"], role?: Role): boolean =>
  item?.kind === "meanings" &&
  item.meanings.some(
    (each) => each.kind === kind && (role === undefined || (each.kind === "role" && each.role === role)),
  );
