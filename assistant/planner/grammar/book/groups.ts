import { averagePer, totalPer } from "../figures.ts";
import { asked, factGroup, negated, ofKind, reasons } from "../makes.ts";
import { both, unify, unifyAll } from "../piece.ts";
import { type Production, production as p } from "../production.ts";

/** Groups: "by campaign and day", "daily", "which publishers", "average calls per day". */
export const groupsPage: readonly Production[] = [
  p("group", "OF? !EACH BY group-names"),
  p("group", "'breakdown' OF group-names"),
  p("group", "SPREAD 'over'|'across' group-names"),
  p("group", "OF|WITH? EACH group-names", (_, groups) => ({ ...groups, each: groups.groups ?? [] })),
  p("group", "GRAIN"),
  p("group", "OF? EACH OF ALL|'their'? DIM|KIND"),
  p("group", "DIM|GRAIN|KIND 'wise'|'breakdown'"),
  p("group", "DIM|KIND 'mix'|'split'", (_, group) => ({ ...group, share: true })),
  p("group", "OF? WHICH ALL? DIM 'called_us'|'called'|'phoned'|'rang'", (setting, dim) =>
    asked(setting, dim.groups?.[0] === "number" ? { ...dim, groups: ["caller"] } : dim),
  ),
  p("opening", "'called'|'calling'|'phoned'|'rang'|'dialed' !DIM", () => ({})),
  p("group", "OF? WHICH ALL? DIM|GRAIN|KIND", asked),
  p("group", "OF|BY? WHO"),
  p("group", "'because_of'|'due_to' WHICH", reasons),
  p("group", "DIM figure-list"),
  p("group", "DIM 'x' group-names"),
  p("group", "WITH WHICH DIM"),
  p("group", "WHICH NAME DIM|KIND", (setting, names, kind) => both(asked(setting, kind), ofKind(kind, names))),
  p("group", "EACH|ALL DIM BUT|NOT names", (setting, kind, ...parts) =>
    both({ groups: kind.groups ?? [] }, negated(setting, {}, parts.at(-1) ?? {})),
  ),
  p("group", "^ NOUN DIM !NOUN", (_, _noun, dim) => (dim.word?.isPlural ? { ...dim, noun: true } : undefined)),
  p("group", "OF|WHICH? DIM DIM", (_, one, other) => (one.word?.isPlural ? undefined : unify(one, other))),
  p("group", "DIM 'by' DIM|GRAIN", (_, one, other) => (one.word?.isPlural ? undefined : unify(one, other))),
  p("group", "GRAIN VERSUS|'x' GRAIN"),
  p("figure", "MEASURE 'to' ALL? DIM", (_, figure, party) =>
    party.word?.isPlural && /^(publisher|buyer)$/.test(party.groups?.[0] ?? "") ? figure : undefined,
  ),
  p("figure", "NOUN MEASURE", (_, noun, figure) => (noun.word?.isPlural ? undefined : figure)),
  p("group", "^ LIST? DIM", (setting, _list, dim) => (dim.word?.isPlural ? asked(setting, dim) : undefined)),
  p("group", "^ DIM 'x'|BY|AND group-names"),
  p("group", "',' DIM AND group-names", (_, one, more) => (one.word?.isPlural ? undefined : unify(one, more))),
  p("group-names", "group-name"),
  p("group-names", "group-name AND|BY|'x' BY? group-names"),
  p("group-name", "ALL? DIM|GRAIN|KIND"),
  p("group", "OF? BY FLAG", factGroup),
  p("group", "OF? BY group-names !',' AND FLAG", (setting, groups, fact) => both(groups, factGroup(setting, fact))),
  p("group", "'why'", () => ({ reasons: true })),
  p("condition", "'because' OF? DIM? names", (_, ...parts) => parts.at(-1)),
  // "Google and Bing calls (utm source)": the word behind says what the names are of.
  p("condition", "names NOUN|MEASURE? DIM", (_, names, noun, kind) =>
    kind.word?.isPlural !== true && names.filters?.every(({ field }) => field === kind.groups?.[0])
      ? unifyAll([{ filters: names.filters }, noun])
      : undefined,
  ),
  p("condition", "WITH OF? of-records"),
  p("condition", "'over' names"),
  p("group", "'over'|'across'|'throughout' ALL? GRAIN"),
  p("condition", "NOUN 'to'? 'pay'|'paid'|'paying' 'for' &OF|&PERIOD|&$|&AND|&BUT|&NOT", (setting, noun) =>
    setting.subject.name === "calls"
      ? { ...noun, filters: [{ field: "payable", op: "is", values: [true] }] }
      : undefined,
  ),
  p("condition", "of-length|of-records BUT FLAG"),
  p("series", "TREND", () => ({ trend: true })),
  p("series", "RUNNING", () => ({ running: "total" })),
  p("series", "OF? STATISTIC OF? ALL? counted-figure EACH GRAIN", averagePer),
  p("series", "STATISTIC GRAIN counted-figure", (setting, of, grain, figure) => averagePer(setting, of, figure, grain)),
  p("series", "counted-figure EACH GRAIN OF STATISTIC", (setting, figure, grain, of) =>
    averagePer(setting, of, figure, grain),
  ),
  p("series", "average-of-one EACH GRAIN BY|EACH? group-names?", (setting, figure, grain, groups) =>
    both(groups, totalPer(setting, figure, grain)),
  ),
  p("counted-figure", "MEASURE|NOUN"),
  p("counted-figure", "HOW_MANY MEASURE|NOUN", (_, _many, figure) => figure),
  p("average-of-one", "MEASURE", (_, figure) =>
    /^(average|avg|mean) /.test(figure.word?.said ?? "") ? figure : undefined,
  ),
];
