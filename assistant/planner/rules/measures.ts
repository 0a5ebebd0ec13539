import { measureOf } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import {
  addMeasure,
  after,
  before,
  hasRole,
  isPlural,
  type Reading,
  senseAs,
  senses,
  sensesAs,
  use,
} from "./reading.ts";

/** "revenue and payout", "conversion rate"; a subject's noun counts where it stands beside a measure or after "how many". */
export function readMeasures(reading: Reading): void {
  const { draft } = reading;
  const asked = new Map<string, number>();
  reading.items.forEach((item, index) => {
    const found = isAttribute(reading, index) ? [] : sensesAs(reading, index, "measure");
    const [measure, other] = found;
    if (measure !== undefined && other !== undefined && measure.name !== other.name) {
      draft.problems.push({
        sentence: `"${item.said}" can mean ${found.map(({ name }) => measureOf(reading.subject, name).words[0]).join(" or ")}. Which one?`,
        options: [],
      });
    }
    const isCounted = senseAs(reading, index, "subject") !== undefined && countsHere(reading, index);
    const name = measure?.name ?? (isCounted ? reading.subject.defaultMeasure : undefined);
    if (name === undefined) return;
    if (measure !== undefined) asked.set(name, asked.get(name) ?? index);
    addMeasure(reading, name);
    use(reading, index);
  });
  // "Profit by campaign, campaigns over 20 calls": the bound on the groups stands behind what was asked for before it.
  const first = Math.min(...asked.values());
  const isBehind = (name: string) =>
    !asked.has(name) &&
    draft.having.some(({ field, op }) => field === name && (draft.places.get(`${name} ${op}`) ?? 0) > first);
  draft.measures = [...draft.measures.filter((name) => !isBehind(name)), ...draft.measures.filter(isBehind)];
  askOfWhich(reading);
}

/** "Paid search calls": what stands before a name that stands before the noun says which calls, and we do not know it. */
function isAttribute(reading: Reading, index: number): boolean {
  const isParticiple = /^(paid|billed|earned)$/i.test(reading.items[index]?.said ?? "");
  const isName = senses(reading, index + 1).some(({ kind }) => kind === "value");
  return isParticiple && isName && senses(reading, index + 2).some(({ kind }) => kind === "subject");
}

/** "Calls from pings cr": the rate of those calls, or both side by side? */
function askOfWhich(reading: Reading): void {
  const { items, draft, subject } = reading;
  const all = items.map((_, index) => measuresAt(reading, index));
  const at = all.findIndex(
    ([one], index) => one !== undefined && isOfSome(subject, one) && isRate(subject, all[index + 1]?.[0]),
  );
  const isNoun = senses(reading, at - 1).some(({ kind }) => kind === "subject");
  if (at < 0 || isNoun || all[at - 1]?.[0] !== undefined || all[at + 2]?.[0] !== undefined) return;
  const [some = "", rate = ""] = [items[at]?.said, items[at + 1]?.said];
  const said = (words: string) =>
    items.flatMap((item, index) => (index === at ? words : index === at + 1 ? [] : item.said));
  const options = [said(`${rate} of ${some}`).join(" "), said(`${some} and ${rate}`).join(" ")];
  draft.problems.push({ sentence: `Only the ${rate} of ${some}, or ${some} and ${rate} side by side?`, options });
}

const measuresAt = (reading: Reading, index: number): readonly string[] =>
  senses(reading, index).flatMap((each) => (each.kind === "measure" ? [each.name] : []));
const isOfSome = (subject: Subject, name: string): boolean =>
  subject.flags.some(({ measure, unmeasure }) => measure === name || unmeasure === name);
const isRate = (subject: Subject, name: string | undefined): boolean =>
  name !== undefined && ["ratio", "average", "quantile"].includes(measureOf(subject, name).aggregate.kind);

function countsHere(reading: Reading, index: number): boolean {
  const [left, right] = [before(reading, index), after(reading, index)];
  if (hasRole(reading, left, "how_many") || isOwner(reading, index)) return true;
  const isMeasure = (at: number) => reading.items[at]?.kind === "meanings" && measureSense(reading, at);
  // "Calls conversions revenue by publisher": a list without its commas.
  if (isPlural(reading.items[index]) && (isListedFigure(reading, index + 1) || isListedFigure(reading, index - 1)))
    return true;
  return (
    (hasRole(reading, left, "and") && isMeasure(before(reading, left))) ||
    (hasRole(reading, right, "and", "with") && isMeasure(after(reading, right)))
  );
}
/** "Calls by publisher and their revenue". */
const isOwner = (reading: Reading, index: number): boolean =>
  isPlural(reading.items[index]) &&
  reading.items.some(({ said }, at) => at > index && /^their$/i.test(said) && hasRole(reading, at - 1, "and", "with"));

/** A figure, and none that a noun behind it completes ("failed calls") or that is a fact of the noun ("calls converted"). */
const isListedFigure = (reading: Reading, at: number): boolean => {
  const found = senses(reading, at);
  return (
    found.some(({ kind }) => kind === "measure") &&
    found.every(
      ({ kind }) => kind === "measure" || kind === "quantity" || (kind === "flag" && isPlural(reading.items[at])),
    )
  );
};

const measureSense = ({ items, subject }: Reading, index: number): boolean => {
  const item = items[index];
  return (
    item?.kind === "meanings" &&
    item.meanings.some((meaning) => meaning.kind === "measure" && meaning.subject === subject.name)
  );
};
