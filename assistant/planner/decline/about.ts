import { callsSubject } from "../../catalog/calls.ts";
import { catalog, findFlag, findQuantity, measureOf } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import { capital, listOf } from "../../phrasing/figure.ts";
import { labelOf, measureLabel } from "../../phrasing/scope.ts";
import type { Piece } from "../grammar/piece.ts";
import { byName, createChart, type Production, production as p } from "../grammar/production.ts";
import { everyTerminalOf } from "../grammar/terminals.ts";
import type { Item } from "../link/item.ts";
import type { Linking } from "../link/name-index.ts";

/** What the catalog says, and questions that go on from there. */
interface Explanation {
  readonly sentence: string;
  readonly options: readonly string[];
}

/** A question about the catalog as a whole, and one about a thing of it. */
const ofAll = (topic: string, pattern: string): Production =>
  p("about", `^ please? ${pattern} $`, () => ({ word: { said: topic } }));
const ofThing = (pattern: string): Production =>
  p("about", `^ please? ${pattern} $`, (_, ...parts) =>
    parts.find(({ measures, groups, noun, word }) => measures ?? groups ?? noun ?? word?.flag ?? word?.quantity),
  );

/** Questions about the catalog. Here every word is a symbol, articles and auxiliaries, too. */
const book: readonly Production[] = [
  ofAll("all", "'help'|'overview' 'me'?"),
  ofAll("all", "'what'|'how'"),
  ofAll("all", "'what' things? 'else'? 'can'|'could'|'should'|'do' you ask"),
  ofAll("all", "'how' 'do'|'can'|'does' you|'this'|'it' ask 'this'|'you'?"),
  ofAll("figures", "'what'|WHICH|list the? figures there?"),
  ofAll("groups", "'what'|WHICH|list the? groups there?"),
  ofThing("'how' is? the? thing is? calculated"),
  ofThing("'how' 'do'|'did' you calculate the? thing"),
  ofThing("'what'|'whats' is? article thing"),
  ofThing("'what' 'do'|'does' the? thing mean"),
  ofThing("'what' is? meant the? thing"),
  ofThing("'define'|'explain'|'describe' the? thing"),
  ofThing("opening? the? 'definition'|'meaning'|'formula'|'calculation' 'of'|'for'|'behind' the? thing"),
  p("opening", "'what'|'whats'|'give'|'show'|'tell' is|'me'|'us'? 'about'?"),
  p("please", "'please'|'hi'|'hello'|'hey'|'ok'|'so'|'and' ','?"),
  p("things", "'things'|'questions'|'kind'|'kinds'|'sort'|'sorts'|'data' 'of'? 'things'|'questions'|'data'?"),
  p("you", "'you'|'i'|'we'|'one'"),
  p(
    "ask",
    "'ask'|'do'|'know'|'answer'|'use'|'work'|'start'|'help'|'tell'|'see'|'get' 'me'|'you'|'this'|'it'|'with'|'about'? 'about'|'here'?",
  ),
  p("list", "LIST|'show'|'give' 'me'|'us'? ALL?"),
  p("the", "'the'|'our'|'your'|'a'|'an'|'this'|'that'"),
  p("article", "'a'|'an'"),
  p("is", "'is'|'are'|'was'|'were'"),
  p("there", "'are'|'do'|'can' 'there'|'you'|'i'|'we' 'have'|'know'|'ask'|'use'? 'for'?"),
  p("figures", "'measures'|'metrics'|'figures'|'kpis'|'kpi'"),
  p("groups", "'dimensions'|'groups'|'groupings'|'fields'|'filters'|'breakdowns'"),
  p(
    "calculated",
    "'calculated'|'computed'|'defined'|'measured'|'derived'|'counted'|'determined'|'worked'|'made'|'calculate' 'out'|'up'?",
  ),
  p("calculate", "'calculate'|'compute'|'define'|'measure'|'derive'|'count'|'determine'|'work' 'out'?"),
  p("mean", "'mean'|'means'|'meaning'|'signify'|'stand' 'for'? 'here'?"),
  p("meant", "'meant'|'mean'|'counts'|'counted'|'count'|'qualifies' 'by'|'as'"),
  p("meant", "'do'|'does' you 'mean' 'by'"),
  p("thing", "MEASURE|FLAGGED|DIM|KIND|QUANTITY|FLAG|NOUN"),
  p("thing", "FLAG NOUN", (_, flag) => flag),
];
const productions = byName(book);

const mostWords = 14;
const opens =
  /^(?:please|hi|hello|hey|ok|so|and|the|an?|what|which|how|help|overview|list|show|give|tell|define|explain|describe|definition|meaning|formula|calculation)/i;

/** What the catalog tells of what is asked; undefined where a question is about records. */
export function explain(items: readonly Item[], { now, zone }: Pick<Linking, "now" | "zone">): Explanation | undefined {
  if (items.length > mostWords || !opens.test(items[0]?.said ?? "")) return undefined;
  const found: { readonly subject: Subject; readonly piece: Piece }[] = [];
  for (const subject of catalog) {
    const places = everyTerminalOf(items, subject);
    const about = createChart(places, productions, { subject, now, zone })("about", 0);
    const whole = about.find(({ to }) => to === places.length);
    if (whole !== undefined) found.push({ subject, piece: whole.piece });
  }
  const [first] = found;
  if (first === undefined) return undefined;
  const topic = first.piece.word?.said ?? "";
  if (Object.hasOwn(topics, topic)) return topics[topic]?.();
  const told = found.map(({ subject, piece }) => ({ subject, ...toldOf(subject, piece) }));
  const sentences = new Set(told.map(({ label, definition }) => `${capital(label)}: ${definition}`));
  return {
    sentence:
      sentences.size === 1
        ? [...sentences].join("")
        : told
            .map(({ subject, label, definition }) => `${capital(label)} of ${subject.noun.many}: ${definition}`)
            .join(" "),
    options: told.flatMap(({ figures }) => figures),
  };
}

const topics: Readonly<Record<string, () => Explanation>> = {
  all: () => ({
    sentence:
      `Ask for figures such as ${listOf(mainFigures(callsSubject))}, by ${listOf(mainGroups(callsSubject))}, over any time, with conditions, as a ranking, a comparison, a share or a list. ` +
      `I know ${listOf(catalog.map(({ noun }) => noun.many))}. “Which figures are there” and “which groups are there” name all.`,
    options: [],
  }),
  figures: () => ({ sentence: catalog.map(figuresToAsk).join(" "), options: [] }),
  groups: () => ({ sentence: catalog.map(groupsToAsk).join(" "), options: [] }),
};

/** The figures that are offered first of each kind of records. */
export const mainMeasures = ({ name, defaultMeasure, measures }: Subject): readonly string[] =>
  name === "calls"
    ? [defaultMeasure, "revenue", "profit", "conversion_rate"]
    : [defaultMeasure, ...measures.slice(1, 4).map((measure) => measure.name)];
export const mainFigures = (subject: Subject): readonly string[] =>
  mainMeasures(subject).map((name) =>
    name === subject.defaultMeasure ? subject.noun.many : measureLabel(subject, name),
  );
export const mainGroups = ({ dimensions }: Subject): readonly string[] =>
  dimensions.slice(0, 4).map(({ words }) => words[0]);

const mostNamed = 8;
const cut = (names: readonly string[]): string =>
  names.length <= mostNamed
    ? listOf(names)
    : `${names.slice(0, mostNamed).join(", ")} and ${names.length - mostNamed} more`;
const figuresToAsk = (subject: Subject): string =>
  `Of ${subject.noun.many}: ${cut(subject.measures.map(({ name }) => measureLabel(subject, name)))}.`;
const groupsToAsk = (subject: Subject): string =>
  `${capital(subject.noun.many)} by ${cut(subject.dimensions.map(({ name }) => labelOf(subject, name)))}, or by time.`;

/** A thing's label and definition, and figures of it. */
function toldOf(subject: Subject, { measures, groups: [group] = [], word }: Piece) {
  const { many } = subject.noun;
  const told = (label: string, definition: string, ...figures: readonly string[]) => ({ label, definition, figures });
  const flag = findFlag(subject, word?.flag ?? "");
  if (flag !== undefined) return told(flag.words[0], flag.definition, `${flag.words[0]} ${many} by day last 30 days`);
  const dimension = subject.dimensions.find(({ name }) => measures === undefined && name === group);
  if (dimension !== undefined) {
    const label = labelOf(subject, dimension.name);
    const values = (dimension.values ?? []).map(({ value }) => value.replaceAll("_", " "));
    const oneOf = values.length === 0 ? "" : ` One of ${cut(values)}.`;
    return told(label, `${dimension.definition}${oneOf}`, `${many} by ${label} last month`);
  }
  const quantity = measures === undefined ? findQuantity(subject, word?.quantity ?? "") : undefined;
  if (quantity !== undefined)
    return told(quantity.words[0], quantity.definition, `average ${quantity.words[0]} last month`);
  const measure = measureOf(subject, measures?.[0] ?? subject.defaultMeasure);
  const label = measureLabel(subject, measure.name);
  return told(label, measure.definition, `${label} last month`, `${label} by day last 30 days`);
}
