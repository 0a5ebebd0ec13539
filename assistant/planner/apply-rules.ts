import { catalog } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import type { SubjectName } from "../plan.ts";
import type { Item } from "./link.ts";
import { type Draft, emptyDraft, hasRole, indexesOf, type Reading, senses, use } from "./reading.ts";
import { readComparators } from "./rules-bounds.ts";
import { readFlags, readRest, readValues } from "./rules-filters.ts";
import { readBareGroups, readGroups, readListing, readMeasures, readRanking } from "./rules-shape.ts";
import { readPeriods, readTrend } from "./rules-time.ts";

/** Small words that may be left over: they change nothing on their own. */
const harmless = ["which", "all", "how_many", "and", "of", "with", "follow", "by"] as const;

interface Moment {
  readonly now: number;
  readonly zone: string;
}

/** The subjects in which every item means something, the ones that the question names by their noun first. */
export function fittingSubjects(items: readonly Item[], previous: SubjectName | undefined): readonly Subject[] {
  const fits = catalog.filter((subject) =>
    items.every((item, index) => item.kind !== "meanings" || senses({ items, subject }, index).length > 0),
  );
  const named = fits.filter((subject) =>
    items.some((_, index) => senses({ items, subject }, index).some(({ kind }) => kind === "subject")),
  );
  if (named.length > 0) return named;
  const same = previous === undefined ? [] : fits.filter(({ name }) => name === previous);
  return same.length > 0 ? same : fits;
}

/** Applies the rules in order; each explains some items. What is left unexplained makes a problem. */
export function read(items: readonly Item[], subject: Subject, { now, zone }: Moment): Reading {
  const reading: Reading = { subject, items, used: new Set(), draft: emptyDraft(), now, zone };
  readComparators(reading);
  readListing(reading);
  readRanking(reading);
  readGroups(reading);
  readVersusValues(reading);
  readValues(reading);
  readFlags(reading);
  readRest(reading);
  readVersusMeasures(reading);
  readPeriods(reading);
  readMeasures(reading);
  readBareGroups(reading);
  readTrend(reading);
  readShare(reading);
  items.forEach((item, index) => {
    if (item.kind === "stop" || hasRole(reading, index, ...harmless)) use(reading, index);
  });
  return reading;
}

/** "conversions last month vs calls last month": two figures are no comparison of periods. */
function readVersusMeasures(reading: Reading): void {
  const { items, subject, draft } = reading;
  const at = items.findIndex((_, index) => hasRole(reading, index, "versus"));
  if (at < 0) return;
  const figures = items.map((_, index) =>
    senses(reading, index).flatMap((sense) =>
      sense.kind === "measure" ? [sense.name] : sense.kind === "subject" ? [subject.defaultMeasure] : [],
    ),
  );
  const side = (from: number, to?: number) => [...new Set(figures.slice(from, to).flat())].sort().join();
  const [left, right] = [side(0, at), side(at + 1)];
  if (left === "" || right === "" || left === right) return;
  const said = [items.slice(0, at), items.slice(at + 1)].map(
    (part) => part.find((item) => (figures[items.indexOf(item)] ?? []).length > 0)?.said ?? "",
  );
  const periods = new Set(items.flatMap((item) => (item.kind === "period" ? [item.said] : [])));
  draft.problems.push({
    sentence: `I compare one figure over two periods, not ${said.join(" with ")}; those I can show side by side.`,
    options: periods.size > 1 ? [] : [`${said.join(" and ")} ${[...periods].join("")}`.trim()],
  });
}

/** "share of calls by publisher", "percent of revenue by campaign". */
function readShare(reading: Reading): void {
  const roles = indexesOf(reading, "share");
  if (roles.length > 0) reading.draft.share = true;
  use(reading, ...roles);
}

/** "Texas vs Florida", "compare Acme and Best": side by side, so grouped by what they are. */
function readVersusValues(reading: Reading): void {
  const values = reading.items
    .map((_, index) => senses(reading, index).flatMap((sense) => (sense.kind === "value" ? [sense.name] : [])))
    .filter((fields) => fields.length > 0);
  const roles = reading.items.map((_, index) => index).filter((index) => hasRole(reading, index, "versus"));
  const [first = [], ...others] = values;
  const field = first.find((each) => others.length > 0 && others.every((fields) => fields.includes(each)));
  if (roles.length === 0 || field === undefined) return;
  if (!reading.draft.dimensions.includes(field)) reading.draft.dimensions.push(field);
  use(reading, ...roles);
}

export const unexplained = ({ items, used }: Reading): readonly Item[] => items.filter((_, index) => !used.has(index));

export const isEmpty = (draft: Draft): boolean =>
  draft.measures.length + draft.dimensions.length + draft.filters.length + draft.having.length === 0 &&
  draft.grain === null &&
  draft.period === undefined &&
  !draft.listing &&
  !draft.share &&
  draft.order === null &&
  draft.limit === null;

export const namesSubject = ({ items, subject }: Pick<Reading, "items" | "subject">): boolean =>
  items.some((_, index) => senses({ items, subject }, index).some(({ kind }) => kind === "subject"));
