import { isDeepStrictEqual } from "node:util";
import { findDimension, findMeasure } from "../../../catalog/catalog.ts";
import { factCounted } from "../../../catalog/fact-counted.ts";
import type { Measure } from "../../../catalog/field.ts";
import { counted, counting, distinct } from "../figures.ts";
import { countOfFact, negated } from "../makes.ts";
import { both, type Piece, unify, unifyAll } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";

/** How many there are, of which kind, and how many of those. */
export const countBook: readonly Production[] = [
  p("figure", "HOW_MANY OF? ALL? kinds NOUN !HOW_MANY", (setting, _, kinds, noun) =>
    both(kinds, counting(setting, noun)),
  ),
  p("figure", "HOW_MANY OF? ALL? names MEASURE", (setting, many, names, figure) =>
    both(names, counted(setting, many, figure)),
  ),
  p("figure", "HOW_MANY FLAG MEASURE", (_, _many, flag, figure) => both(flag, figure)),
  p("figure", "HOW_MANY OF? ALL? names !NOUN", (setting, many, names) =>
    / of$/.test(many.word?.said ?? "")
      ? beside(countOfKind(setting, names))
      : names.isFigure
        ? undefined
        : recordsOf(setting, names),
  ),
  p("figure", "HOW_MANY OF? ALL? thing", (_, _many, thing) => thing),
  p("kinds", "kind"),
  p("kinds", "kind kinds"),
  p("kind", "names|FLAG|DAYS|PARTS|PERIOD"),
  p("figure", "MEASURE HOW_MANY", (_, figure) => figure),
  p("figure", "distinct-figure names? FLAGGED", (_, figure, names, fact) =>
    unifyAll([figure, names, { filters: fact.filters ?? [] }]),
  ),
  p("distinct-figure", "HOW_MANY? DISTINCT ALL? DIM", distinct),
  p("figures", "those ','? HOW_MANY AND more-figures", (setting, those, _, more) =>
    unifyAll([those, { measures: [setting.subject.defaultMeasure] }, more]),
  ),
  p("those", "FLAGGED", (_, fact) => ({ filters: fact.filters ?? [] })),
  p("those", "FLAGGED rest", (_, fact, rest) => unify({ filters: fact.filters ?? [] }, rest)),
  p("rest", "condition|when rest?"),
  // "Count by reason", "which hooks, and how often": what there is, is counted.
  p("figures", "HOW_MANY &BY|&EACH|&$|&PERIOD|&','", (setting) => countedAll(setting)),
  p("figures", "WITH HOW_MANY", (setting) => countedAll(setting)),
  p("figures", "HOW_MANY OF? EACH &$|&','|&PERIOD", (setting) => countedAll(setting)),
  p("figures", "'how_often'|'how_many_times'|'number_of_times'|'how_frequently'", (setting) => countedAll(setting)),
  p("figure-list", "HOW_MANY AND more-figures", (setting, _, more) =>
    both({ measures: [setting.subject.defaultMeasure] }, more),
  ),
  // "And how many converted": of those that are counted, which are shown, too.
  p("figures", "HOW_MANY OF? FLAG", (setting, _, fact) => beside(countOfFact(setting, fact))),
  p("figures", "HOW_MANY OF? NOT FLAG", (setting, _, not, fact) =>
    beside(countOfFact(setting, { ...fact, ...negated(setting, not, fact) })),
  ),
  p("thing", "'thing'|'things'|'stuff'|'something'|'anything'", (setting) =>
    setting.subject.name === "audit_logs" ? { noun: true, word: { isPlural: true } } : undefined,
  ),
  p("figures", "thing"),
  // "Pays the most per conversion", "cost per lead": one figure divided by a count.
  p("figure", "MEASURE|NOUN unit", (setting, figure, unit) => divided(setting, figure, unit)),
  p("rank", "MEASURE end unit", (setting, figure, end, unit) => {
    const ratio = divided(setting, figure, unit);
    return ratio && unifyAll([end, ratio, { orderBy: ratio.measures?.[0] ?? "", isHighest: true }]);
  }),
  p("unit", "EACH NOUN|MEASURE", (setting, unit) => (unit.word?.isPlural ? undefined : counting(setting, unit))),
];

const countedAll = (_: Setting): Piece => ({ noun: true, isTally: true });

const beside = (figure: Piece | undefined): Piece | undefined => figure && { ...figure, besides: true };

/** "Deletions", "5xx errors": records of a kind that the catalog knows; of what was changed how many different ones. */
function recordsOf(setting: Setting, { filters = [] }: Piece): Piece | undefined {
  const { subject } = setting;
  const isClosed = filters.every(
    ({ field }) => field === "status_code" || findDimension(subject, field)?.values !== undefined,
  );
  if (!isClosed || filters.length === 0) return undefined;
  const isOfEntities = subject.name === "audit_logs" && filters.every(({ field }) => field === "entity_type");
  return isOfEntities ? { filters, measures: ["changed_entities"] } : { filters, noun: true };
}

/** "How many of them were rate limited": the figure that the catalog has for those. */
function countOfKind({ subject }: Setting, { filters = [] }: Piece): Piece | undefined {
  const [filter, other] = filters;
  const known = subject.measures.find(({ name }) => isDeepStrictEqual(factCounted(subject, name), filter));
  return known === undefined || other !== undefined ? undefined : { measures: [known.name] };
}

/** The measure that the catalog has for the one divided by the other. */
export function divided({ subject }: Setting, figure: Piece, unit: Piece): Piece | undefined {
  const of = findMeasure(subject, unit.measures?.[0] ?? "")?.aggregate;
  const part = findMeasure(subject, figure.noun ? subject.defaultMeasure : (figure.measures?.[0] ?? ""));
  const known = subject.measures.find((each) => part !== undefined && divides(each, part, of));
  return known && { measures: [known.name] };
}

/** "Average payout" is one per call already; per conversion it is the whole payout that is divided. */
function divides({ aggregate }: Measure, { aggregate: figure, words }: Measure, of: unknown): boolean {
  if (aggregate.kind !== "ratio" || aggregate.scale !== 1 || !isDeepStrictEqual(aggregate.of, of)) return false;
  const isMean = figure.kind === "ratio" && words.some((word) => word.startsWith("average"));
  return isDeepStrictEqual(aggregate.part, figure.kind === "ratio" && isMean ? figure.part : figure);
}
