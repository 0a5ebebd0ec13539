import { measureOf, tagKey } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import type { Period, Plan, SubjectName } from "../../plan.ts";
import type { Role } from "../words/small-words.ts";
import { toKey } from "../words/tokenize.ts";
import type { Meaning } from "./lexicon.ts";

export type NumberUnit = "seconds" | "money" | "ms" | "percent" | null;

/** A stretch of the question with what it can mean; `stop` means nothing, `unknown` was not understood. */
export type Item = { readonly from: number; readonly to: number; readonly said: string } & (
  | { readonly kind: "meanings"; readonly meanings: readonly Meaning[] }
  /** `ends`: "from September to October", which may be one against the other. */
  | { readonly kind: "period"; readonly period: Period | null; readonly ends?: readonly [Period, Period] | undefined }
  | { readonly kind: "number"; readonly value: number; readonly unit: NumberUnit }
  | { readonly kind: "hour"; readonly hour: number }
  /** "The second best": 2. */
  | { readonly kind: "place"; readonly place: number }
  | { readonly kind: "stop" }
  | { readonly kind: "unknown" }
);

/** All that an item may mean; nothing where it is a number, a period or a small word. */
export const meaningsOf = (item: Item | undefined): readonly Meaning[] =>
  item?.kind === "meanings" ? item.meanings : [];

/** True where an item may be of that kind; of roles, one of these. */
export const mayBe = (item: Item | undefined, kind: Meaning["kind"], ...roles: readonly Role[]): boolean =>
  meaningsOf(item).some((each) => each.kind === kind && (each.kind !== "role" || roles.includes(each.role)));

/** The item that a word belongs to. */
export const itemAt = (items: readonly Item[], at: number): Item | undefined =>
  items.find(({ from, to }) => from <= at && at < to);

/** The words as they were typed. */
export const sentenceOf = (items: readonly Item[]): string => items.map(({ said }) => said).join(" ");

type Content = Item extends infer One ? (One extends Item ? Omit<One, "from" | "to" | "said"> : never) : never;
/** What the next words of a question are taken for. */
export interface Match {
  readonly length: number;
  readonly content: Content;
}

export const asMeanings = (meanings: readonly Meaning[], length = 1): Match => ({
  length,
  content: { kind: "meanings", meanings },
});

/** The same words, meaning something else. */
export const meaning = ({ from, to, said }: Item, ...meanings: readonly Meaning[]): Item => ({
  from,
  to,
  said,
  kind: "meanings",
  meanings,
});

/** A value of a dimension that several subjects have. */
export const asValue = (
  { name, value }: { readonly name: string; readonly value: string },
  subjects: readonly SubjectName[],
  length = 1,
): Match =>
  asMeanings(
    subjects.map((subject) => ({ kind: "value", subject, name, value })),
    length,
  );

/** The items of a question, of one kind of records. */
export interface Said {
  readonly items: readonly Item[];
  readonly subject: Subject;
}

/** What an item can mean of these records. */
export const senses = ({ items, subject }: Said, index: number): readonly Meaning[] =>
  meaningsOf(items[index]).filter((each) => !("subject" in each) || each.subject === subject.name);

export const hasRole = (said: Said, index: number, ...roles: readonly Role[]): boolean =>
  senses(said, index).some((meaning) => meaning.kind === "role" && roles.includes(meaning.role));

export const isPlural = (item: Item | undefined): boolean => /(?<!['’])s$/i.test(item?.said ?? "");

interface Candidate {
  readonly name: string;
  readonly value: string;
}

const isOf = (item: Item, field: string): boolean =>
  meaningsOf(item).some((each) => each.kind === "dimension" && each.name === field);

/** What targets, formulas and webhooks bear in their names is whose they are, or what for. */
const owners = ["campaign", "publisher", "buyer"];
const owned = ["target", "rtb"];

/** By themselves they are what callers speak as well. */
const languages = /^(spanish|english|french|german|chinese|vietnamese)$/i;

/**
 * Which of the things that bear a name are meant: what the answer before is about; names before what senders wrote into
 * tags; "Keystone" the buyer before its targets "Keystone East" and "Keystone West", whose calls are its calls.
 */
export function likeliest<T extends Candidate>(
  { planBefore, items }: { readonly planBefore?: Plan | undefined; readonly items: readonly Item[] },
  { index, found }: { readonly index: number; readonly found: readonly T[] },
): readonly T[] {
  const said = items[index]?.said ?? "";
  const shown = [...(planBefore?.filters ?? []).map(({ field }) => field), ...(planBefore?.dimensions ?? [])];
  const before = shown.map((field) => found.filter(({ name }) => name === field)).find(({ length }) => length > 0);
  // "By utm medium, leave email out": the tag that is named.
  const tags = found.filter(({ name }) => tagKey(name) !== undefined && items.some((item) => isOf(item, name)));
  if (tags.length > 0) return tags;
  const names = found.filter(({ name }) => tagKey(name) === undefined);
  const known = names.length > 0 ? names : found;
  const [owner, other] = known.filter(({ name }) => owners.includes(name));
  const isWhole = known.some(({ value }) => toKey(value) === toKey(said));
  if (isWhole || languages.test(said)) return before ?? known;
  // "Auto Insurance": the campaigns that begin with it before the buyer "Ironbridge Auto Insurance".
  const begun = known.filter(({ value }) => begins(value, said));
  if (before === undefined && areBegun(begun, said)) return begun;
  const areOwned = known.every((each) => each === owner || owned.includes(each.name));
  return owner !== undefined && other === undefined && areOwned ? [owner] : (before ?? known);
}

export const begins = (name: string, said: string): boolean => toKey(name).startsWith(`${toKey(said)} `);

/** "Harborline", with which several names of one field begin: all of them are meant. */
export const areBegun = (found: readonly Candidate[], said: string): boolean =>
  new Set(found.map(({ value }) => value)).size > 1 &&
  found.every(({ name, value }) => name === found[0]?.name && tagKey(name) === undefined && begins(value, said));

const pronouns = new Set(["their", "theirs", "them", "they", "those", "it", "its", "he", "she", "him", "his", "her"]);
const wordOf = ({ said }: Item): string => said.toLowerCase();

/** "Those who called twice" are told what they are. */
const isTold = (items: readonly Item[], at: number): boolean =>
  /^those$/i.test(items[at]?.said ?? "") && /^(?:that|who|which|whose)\b/i.test(items[at + 1]?.said ?? "");

/** "The week before it" points at the week. */
const withoutPeriods = (items: readonly Item[]): readonly Item[] =>
  items.filter(
    (_, at) => !/ before$/i.test(items[at - 1]?.said ?? "") && !(at > 0 && isCompared(items, at)) && !isTold(items, at),
  );

/** "They", "how much did they bring". */
export const points = (item: Item): boolean =>
  pronouns.has(wordOf(item)) || /^(what|how much) .*\b(they|them|it|those|these)\b/.test(wordOf(item));

/** True for a question with a pronoun such as "they", which may mean the answer before. */
export const pointsBack = (items: readonly Item[]): boolean => withoutPeriods(items).some(points);

/** "… and how does it compare with September", "than it is", "and what was it for Best": it is what the same question asks for. */
const isCompared = (items: readonly Item[], at: number): boolean => {
  const [lead = "", asking = ""] = [items[at - 3]?.said, items[at - 2]?.said];
  const isAgain = /^(and|,)$/i.test(lead) && /^(what|how( much| many)?)$/i.test(asking);
  const isIt = /^it$/i.test(items[at]?.said ?? "") && (isAgain || mayBe(items[at + 1], "role", "versus"));
  return isIt || (/^(it|they)$/i.test(items[at]?.said ?? "") && /\bthan$/i.test(items[at - 1]?.said ?? ""));
};

/** "They", "for those": several things that were named before, where "it" and "their" may be another's. */
export const pointsAtSeveral = (items: readonly Item[]): boolean =>
  withoutPeriods(items).some((item) => points(item) && /\b(they|them|those|these)\b/.test(wordOf(item)));

/** "Calls to bidders, and how much revenue did they bring": what is pointed at stands in the same question. */
export const pointsWithin = (reading: Said): boolean => {
  const at = reading.items.findIndex(points);
  return reading.items
    .slice(0, Math.max(0, at))
    .some((_, index) =>
      senses(reading, index).some(
        (each) =>
          ["subject", "dimension", "value", "grain"].includes(each.kind) ||
          (each.kind === "measure" && measureOf(reading.subject, each.name).aggregate.kind === "count"),
      ),
    );
};

/** Requests that come in, and those of the same kind that go out. */
export const inward: readonly SubjectName[] = ["inbound_rtb_requests", "incoming_webhook_requests"];
export const outward: readonly SubjectName[] = ["outbound_rtb_requests", "outgoing_webhook_requests"];

/** "Outbound" beside calls, "inbound" beside bids: there are none. */
export const goesOtherWay = ({ kind, said }: Item, subject: SubjectName): boolean =>
  kind === "stop" &&
  ((/^(?:outbound|outgoing)$/i.test(said) && !outward.includes(subject)) ||
    (/^(?:inbound|incoming)$/i.test(said) && outward.includes(subject)));
