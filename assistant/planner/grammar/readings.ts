import { isDeepStrictEqual } from "node:util";
import { isBin } from "../../catalog/bins.ts";
import { subjectOf } from "../../catalog/catalog.ts";
import { boundsPage } from "./book/bounds.ts";
import { clausesPage, conditionsPage } from "./book/conditions.ts";
import { edits } from "./book/edits.ts";
import { countsPage, figuresPage } from "./book/figures.ts";
import { groupsPage } from "./book/groups.ts";
import { listsPage } from "./book/lists.ts";
import { namesPage } from "./book/names.ts";
import { openingsPage } from "./book/openings.ts";
import { rankingsPage } from "./book/rankings.ts";
import { sharesPage } from "./book/shares.ts";
import { overGroupsPage, spreadsPage } from "./book/spreads.ts";
import { timesPage } from "./book/times.ts";
import { complete, type Lack, type Parsed } from "./complete.ts";
import { type Piece, unify } from "./piece.ts";
import { byName, createChart, type Edge, type Production, type Setting, type Terminals } from "./production.ts";

const pages: readonly Production[] = [
  ...openingsPage,
  ...figuresPage,
  ...countsPage,
  ...spreadsPage,
  ...overGroupsPage,
  ...groupsPage,
  ...rankingsPage,
  ...conditionsPage,
  ...namesPage,
  ...boundsPage,
  ...timesPage,
  ...listsPage,
  ...sharesPage,
  ...clausesPage,
  ...edits,
];

/**
 * The grammar of questions: how the phrases are built that a question consists of, by the name of what they say. A question
 * is a row of phrases that do not contradict each other; `readings.ts` finds the fewest that explain all its words.
 */
export const grammar = byName(pages);

/** As far as some place of the question, what was said, in which phrases, and which places were left over. */
interface Reading {
  readonly piece: Piece;
  readonly phrases: readonly Edge[];
  readonly left: readonly number[];
}

const mostReadings = 32;

/**
 * What a question is a row of, and how what it says is made a plan: undefined where it cannot be, "another" where it is
 * a question of another kind.
 */
export interface Start {
  readonly symbol: "phrase" | "edit";
  readonly complete: (said: Piece, setting: Setting) => Parsed | Lack | "another" | undefined;
}
export const question: Start = { symbol: "phrase", complete };

/** The plans of the readings that explain every word in the fewest phrases; none where no reading does. */
export function parse(places: readonly Terminals[], setting: Setting, start: Start = question): readonly Parsed[] {
  const readings = readingsOf(places, setting, start);
  for (const count of [...new Set(readings.map(({ phrases }) => phrases.length))].sort((a, b) => a - b)) {
    const found: Parsed[] = [];
    for (const { piece, phrases } of readings) {
      const parsed = phrases.length === count ? start.complete(piece, setting) : undefined;
      if (parsed === "another") return [];
      if (parsed !== undefined && "plan" in parsed && !found.some(({ plan }) => isDeepStrictEqual(plan, parsed.plan)))
        found.push({ ...parsed, phrases });
    }
    if (found.length > 0) return fullest(telling(found));
  }
  return [];
}

/**
 * "Facebook and Instagram utm_source": the word says what the names are of, where another reading groups by it.
 * "Distribution of revenue by campaign": each campaign's part, where another reading counts in steps of it.
 */
function telling(found: readonly Parsed[]): readonly Parsed[] {
  const isNamed = ({ plan }: Parsed, name: string) =>
    plan.filters.some(({ field, op }) => field === name && op === "is");
  // "Did any publisher's conversion drop", "made less profit than last week": those that did.
  const movers = found.filter(({ plan }) => plan.order?.only);
  if (movers.length > 0) return movers;
  // "The last 10 failed calls with reason" shows it.
  const hasNone = ({ plan }: Parsed) => !plan.filters.some(({ op }) => op === "not_empty");
  if (found.every(({ plan }) => plan.columns.length > 0) && found.some(hasNone)) return found.filter(hasNone);
  const hasShares = found.some(({ plan }) => plan.share);
  const left = found.filter(
    (each) =>
      !each.plan.dimensions.some(
        (name) =>
          (hasShares && isBin(name)) ||
          (isNamed(each, name) && found.some(({ plan }) => !plan.dimensions.includes(name))),
      ),
  );
  return left.length > 0 ? left : found;
}

/** Of readings that differ in this alone, the one that shows how many there are, too: "calls, cost and ROI". */
function fullest(found: readonly Parsed[]): readonly Parsed[] {
  const whole = found.find(({ plan: { measures, ...rest } }) =>
    found.every(
      ({ plan: { measures: others, ...other } }) =>
        others.every((name) => measures.includes(name)) &&
        measures.every((name) => others.includes(name) || name === subjectOf(rest.subject).defaultMeasure) &&
        isDeepStrictEqual(other, rest),
    ),
  );
  return whole === undefined ? found : [whole];
}

export interface Attempt {
  /** The places that the best reading leaves over. */
  readonly left: readonly number[];
  readonly plans: readonly Parsed[];
  readonly piece: Piece;
  readonly lack: Lack | undefined;
}

/** The reading that leaves the fewest words over: what they are, and the plans of the rest or what it lacks. */
export function attempt(places: readonly Terminals[], setting: Setting): Attempt {
  const readings = readingsOf(places, setting, { ...question, mayLeave: true });
  const [best] = readings;
  if (best === undefined) return { left: places.map((_, at) => at), plans: [], piece: {}, lack: undefined };
  const ways = readings
    .filter(({ left }) => left.length === best.left.length)
    .map((reading) => ({ ...reading, result: complete(reading.piece, setting) }));
  const whole = ways.filter(({ result }) => result !== undefined && "plan" in result);
  const { left, piece, phrases } = whole[0] ?? best;
  const same = ways.filter((way) => way.phrases.length === phrases.length && isDeepStrictEqual(way.left, left));
  const plans: Parsed[] = [];
  for (const { result } of same)
    if (result !== undefined && "plan" in result && !plans.some(({ plan }) => isDeepStrictEqual(plan, result.plan)))
      plans.push(result);
  const lack = same.map(({ result }) => result).find((result) => result !== undefined && "lacks" in result);
  return { left, plans, piece, lack: plans.length > 0 ? undefined : (lack as Lack | undefined) };
}

function readingsOf(
  places: readonly Terminals[],
  setting: Setting,
  { symbol, mayLeave = false }: Pick<Start, "symbol"> & { readonly mayLeave?: boolean },
): readonly Reading[] {
  const edgesOf = createChart(places, grammar, setting);
  const reached: Reading[][] = places.map(() => []);
  const end: Reading[] = [];
  reached[0]?.push({ piece: {}, phrases: [], left: [] });
  places.forEach((place, at) => {
    const here = best(reached[at] ?? []);
    if (here.length === 0) return;
    if (isJoint(place, at, places[at + 1]) && !goesOn(places, at))
      (reached[at + 1] ?? (place.has("','") || place.has("ALL") ? end : [])).push(...here);
    for (const edge of edgesOf(symbol, at)) {
      for (const { piece, phrases, left } of here) {
        const whole = unify(piece, edge.piece);
        if (whole !== undefined) (reached[edge.to] ?? end).push({ piece: whole, phrases: [...phrases, edge], left });
      }
    }
    if (!mayLeave) return;
    for (const { left, ...reading } of here) (reached[at + 1] ?? end).push({ ...reading, left: [...left, at] });
  });
  return best(end);
}

/** What only joins two phrases; "all" says what is so anyway. "But" leads to a condition, "all but" to what is left out. */
export function isJoint(place: Terminals, at: number, next: Terminals | undefined): boolean {
  if (place.has("ALL")) return next?.has("BUT") !== true;
  if (place.has("BUT"))
    return at > 0 && ["NOT", "FOLLOW", "MORE_THAN", "LESS_THAN", "AT_LEAST", "AT_MOST"].some((kind) => next?.has(kind));
  return place.has("','") || (at > 0 && place.has("AND"));
}

/** "And so on": there is more to it. */
const goesOn = (places: readonly Terminals[], at: number): boolean =>
  places[at]?.has("AND") === true && at === places.length - 2 && places[at + 1]?.has("'on'") === true;

/** Those that leave the least over, in the fewest phrases, each once. */
function best(readings: readonly Reading[]): readonly Reading[] {
  const known = new Map<string, Reading>();
  for (const reading of [...readings].sort(
    (a, b) => a.left.length - b.left.length || a.phrases.length - b.phrases.length,
  )) {
    const key = JSON.stringify(reading.piece);
    if (!known.has(key)) known.set(key, reading);
  }
  return [...known.values()].slice(0, mostReadings);
}
