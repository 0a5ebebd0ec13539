import { findDimension, measureOf } from "../../../catalog/catalog.ts";
import { isGrain, isRecurring, type RunningGrain } from "../../../plan.ts";
import { averagePer, counting, divided, totalPer } from "../figures.ts";
import { asked, factGroup, isCost, kindsOfDay, negated, ofKind, reasons, reasonsOf } from "../makes.ts";
import { both, type Piece, unify, unifyAll } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";

/** Groups: "by campaign and day", "daily", "which publishers", "average calls per day". */
export const groupsPage: readonly Production[] = [
  // "What got paused, and by whom", "who changed it, and what was done".
  p("group", "AND &'by_whom'|&'what_was_done'|&'what_did_they_do' DIM|KIND"),
  // "Which campaigns did Dana change".
  p("group", "WHICH names &TOLD", ({ subject }, { filters = [], word }) =>
    subject.name === "audit_logs" && filters.every(({ field }) => field === "entity_type")
      ? { filters, noun: true, groups: ["entity"], asked: word?.isPlural ? "many" : "one" }
      : undefined,
  ),
  p("group", "OF? !EACH BY group-names", (_, groups) => ({ ...groups, by: groups.groups ?? [] })),
  // "By campaign, all publishers": of all of them together.
  p("group", "OF? BY|EACH group-names when? ','|OF|BY? ALL DIM|KIND", (_, ...parts) => {
    const all = parts.at(-1);
    return all?.word?.isPlural ? unifyAll(parts.slice(0, -1)) : undefined;
  }),
  p("group", "OF|WITH? EACH group-names", (_, groups) => ({ ...groups, each: groups.groups ?? [] })),
  // "Revenue for publisher, last month", "timeouts for week and bidder".
  p("group", "'for' !NOUN group-names &$|&','|&PERIOD", (_, groups) => {
    const isUnit = groups.word !== undefined && isGrain(groups.groups?.[0] ?? "");
    return groups.word?.isPlural || isUnit ? undefined : groups;
  }),
  p("group", "GRAIN"),
  p("group", "OF GRAIN", (_, grain) =>
    /^(what|which) /.test(grain.word?.said ?? "") || grain.groups?.[0] === "kind_of_day" ? grain : undefined,
  ),
  p("group", "OF? EACH OF ALL|'their'? DIM|GRAIN|KIND"),
  p("group", "DIM|GRAIN|KIND 'wise'|'breakdown'"),
  p("group", "DIM|KIND 'mix'|'split'", (_, group) => ({ ...group, share: true })),
  p("opening", "'called'|'calling'|'phoned'|'rang'|'dialed' !DIM", () => ({})),
  p("group", "OF|WITH? WHICH ALL? DIM|GRAIN|KIND", asked),
  p("group", "OF|BY? WHO"),
  // "Did any publisher's conversion drop", "any publisher whose calls fell".
  p("group", "'any' DIM|GRAIN|KIND figure", (_, dim, figure) => both(eachOf(dim), figure)),
  p("group", "^ 'any' DIM|GRAIN|KIND &WITH", (_, dim) => eachOf(dim)),
  p("figures", "WITH ALL? NOUN &CHANGE", counting),
  p("group", "'because_of'|'due_to' WHICH", reasons),
  // "The publisher was paid" is no group of payouts.
  p("group", "!of-rtb DIM figure-list", (_, dim, figures) =>
    (dim.word?.isPlural !== true && /^pa(y|ys|id)$/.test(figures.word?.said ?? "")) || dim.word?.said === "numbers"
      ? undefined
      : unify(dim, figures),
  ),
  // "RTB win rate by buyer": which records are meant, no formula.
  p("opening", "of-rtb &figure-list", () => ({})),
  p("of-rtb", "DIM", (_, { word }) => (word?.said === "rtb" ? {} : undefined)),
  // "Split by user, API key and system".
  p("group", "BY names", (_, { filters = [] }) =>
    filters.some(({ values }) => values.length > 1)
      ? { filters, groups: filters.map(({ field }) => field) }
      : undefined,
  ),
  p("group", "'what' ALL? NOUN when? FLAG OF &$|&','|&AND|&PERIOD", (setting, _noun, when, fact) =>
    both(when, reasonsOf(setting, fact)),
  ),
  // "Calls per month with the conversion rate": both.
  p(
    "group",
    "^ NOUN when? BY|EACH group-names when? ','? WITH|AND figure-list &$|&','|&period|&OF",
    (setting, noun, ...parts) => both(counting(setting, noun), unifyAll(parts)),
  ),
  // "… did they run into, and on which webhook".
  p("group", "AND OF|BY|WITH? WHICH DIM|KIND &$|&','", (_, dim) => ({ groups: dim.groups ?? [] })),
  p("group", "WHICH 'kind'|'kinds'|'type'|'types'|'sort'|'sorts' OF NOUN", kindsOf),
  p("group", "WHICH NAME DIM|KIND", (setting, names, kind) => both(asked(setting, kind), ofKind(kind, names))),
  // "The profit of all campaigns except Acme": of them together.
  p("condition", "'of'|'on'|'from'|'in' ALL DIM NOT names", (setting, kind, not, names) =>
    names.filters?.every(({ field }) => field === kind.groups?.[0]) ? negated(setting, not, names) : undefined,
  ),
  p("group", "EACH|ALL DIM BUT|NOT names", (setting, kind, ...parts) =>
    both({ groups: kind.groups ?? [] }, negated(setting, {}, parts.at(-1) ?? {})),
  ),
  p("group", "^ NOUN DIM !NOUN", (_, _noun, dim) => (dim.word?.isPlural ? { ...dim, noun: true } : undefined)),
  p("group", "~VALUE DIM 'by' DIM|GRAIN", (_, one, other) => (one.word?.isPlural ? undefined : unify(one, other))),
  p("group", "GRAIN VERSUS|'x' GRAIN"),
  // "Call revenue"; "what does a call cost" asks for the cost of one.
  p("figure", "NOUN|MEASURE MEASURE", (setting, of, figure) =>
    of.word?.isPlural ? undefined : (costOfOne(setting, figure, of) ?? (of.noun && figure)),
  ),
  // "What do we pay on average for a sale", "what does a call cost on average".
  p("figure", "MEASURE OF? STATISTIC? 'for'? NOUN|MEASURE", (setting, figure, { word }, of) => {
    const isPaid = isCost(figure) || /^(we )?pa(y|id)$/.test(figure.word?.said ?? "");
    const isOfOne = !of.word?.isPlural && (word?.statistic ?? "avg") === "avg" && isPaid;
    return isOfOne ? divided(setting, figure, counting(setting, of) ?? {}) : undefined;
  }),
  // "All campaigns and their rates", "show the buyers with …".
  p("group", "^ LIST|shown? ALL? DIM", (setting, _list, dim) => (dim.word?.isPlural ? asked(setting, dim) : undefined)),
  p("group", "^ DIM 'x'|BY|AND group-names"),
  p("group", "',' DIM AND group-names", (_, one, more) => (one.word?.isPlural ? undefined : unify(one, more))),
  p("group-names", "group-name"),
  p("group-names", "group-name AND|BY|'x' BY? !ALL group-names"),
  p("group-names", "'both' group-name AND BY? group-name", (_, one, other) => unify(one, other)),
  p("group-name", "ALL? DIM|GRAIN|KIND"),
  p("group-name", "DAYS|WEEKDAYS VERSUS|AND|OR DAYS|WEEKDAYS", (_, one, other) => kindsOfDay(one, other)),
  p("group", "OF? BY FLAG", factGroup),
  // "By whether the call converted".
  p("group", "BY 'whether' ALL? NOUN? FLAG|FLAGGED", (setting, ...parts) => factGroup(setting, parts.at(-1) ?? {})),
  p("group", "OF? BY group-names !',' AND FLAG", (setting, groups, fact) => both(groups, factGroup(setting, fact))),
  p("group", "'why'", () => ({ reasons: true })),
  // "… were rejected, reasons?", "give me the reasons".
  p("group", "DIM &$|&PERIOD|&','|&AND", (setting, dim) =>
    dim.word?.isPlural && dim.groups?.[0] === reasons(setting)?.groups?.[0] ? { groups: dim.groups ?? [] } : undefined,
  ),
  p("condition", "'because' OF? DIM? names", (_, ...parts) => parts.at(-1)),
  // "Turned down because of the cap": the reason says which.
  p("condition", "names|REJECTS 'because'|'because_of'|'due_to'|'owing_to' OF? names", (_, _what, why) =>
    why.filters?.every(({ field }) => /reason|error_class/.test(field)) ? why : undefined,
  ),
  // "Google and Bing calls (utm source)": the word behind says what the names are of.
  p("condition", "names NOUN|MEASURE? DIM", (_, names, noun, kind) => {
    if (kind.word?.isPlural || !names.filters?.every(({ field }) => field === kind.groups?.[0])) return undefined;
    // "Does the caller or the target hang up first": who does asks for each.
    const isAsked = /^(hang|hung)/.test(kind.word?.said ?? "") && (names.filters[0]?.values.length ?? 0) > 1;
    return unifyAll([{ filters: names.filters }, isAsked ? { noun: true, groups: kind.groups ?? [] } : noun]);
  }),
  // "Status of calls yesterday", "the outcomes of webhook deliveries".
  p("group", "^ shown? DIM OF NOUN", ({ subject }, ...parts) => {
    const groups = parts.at(-2)?.groups ?? [];
    return findDimension(subject, groups[0] ?? "")?.values === undefined ? undefined : { groups, noun: true };
  }),
  p("condition", "WITH OF? of-records"),
  p("condition", "'over' names"),
  p("group", "'over'|'across'|'throughout' ALL? GRAIN"),
  p("condition", "of-length|of-records BUT FLAG"),
  p("series", "TREND OF?", () => ({ trend: true })),
  p("series", "WITH? RUNNING", () => ({ running: "total" })),
  // "Average calls per day", "on average, how many calls do we get per publisher", "average calls per business day".
  p(
    "series",
    "OF? STATISTIC? ','? OF? 'how'? 'much'? ALL? counted-figure VERB? 'in'? EACH GRAIN|WEEKDAYS|DIM|KIND",
    (setting, of, figure, _verb, unit) => averageOf(setting, of, figure, unit),
  ),
  // "How many calls does each target take per day on average", "calls per publisher on average".
  p(
    "series",
    "'how'? 'much'? counted-figure each-group? EACH GRAIN|WEEKDAYS|DIM|KIND each-group? OF? STATISTIC",
    (setting, figure, before, unit, behind, of) => both(before, behind, averageOf(setting, of, figure, unit)),
  ),
  p("each-group", "OF? EACH DIM|KIND"),
  // "Calls per day from Texas on average".
  p("each-group", "OF names ','?", (_, { filters = [] }) => ({ filters })),
  // "On an average weekday", "as an average per day": what is said elsewhere, divided.
  p("series", "OF STATISTIC GRAIN|WEEKDAYS|DAYS|WEEKDAY", (_, stat, unit) => onAverage(stat, unit)),
  p("series", "'as'? STATISTIC EACH GRAIN", (_, stat, unit) => onAverage(stat, unit)),
  p("series", "GRAIN? STATISTIC OF? GRAIN? ALL? counted-figure", (setting, one, of, other, figure) =>
    averagePer(setting, of, figure, one.groups === undefined ? other : one),
  ),
  // "Average revenue per campaign per day".
  p("series", "average-of-one each-group? EACH GRAIN BY|EACH? group-names?", (setting, figure, before, grain, groups) =>
    both(before, groups, totalPer(setting, figure, grain)),
  ),
  p("counted-figure", "MEASURE|NOUN"),
  p("counted-figure", "HOW_MANY MEASURE|NOUN", (_, _many, figure) => figure),
  p("average-of-one", "MEASURE", (_, figure) =>
    /^(average|avg|mean) /.test(figure.word?.said ?? "") ? figure : undefined,
  ),
];

/** So many in each unit of time; of a day of the week, or of all workdays, on each of them. */
function onAverage({ word }: Piece, { groups: [unit = ""] = [], filters: [days] = [] }: Piece): Piece | undefined {
  if (word?.statistic !== "avg") return undefined;
  if (days !== undefined)
    return { averagePer: "day", filters: [days], groups: [days.values.length === 1 ? "day_of_week" : "kind_of_day"] };
  return isGrain(unit) && !isRecurring(unit) ? { averagePer: unit as RunningGrain } : undefined;
}

/** "What a call costs", "how much costs a conversion". */
const costOfOne = (setting: Setting, figure: Piece, of: Piece): Piece | undefined =>
  isCost(figure) ? divided(setting, figure, counting(setting, of) ?? {}) : undefined;

/** In each unit of time, on each of the workdays, or over the groups. */
function averageOf(setting: Setting, stat: Piece, figure: Piece, unit: Piece): Piece | undefined {
  const { groups: [name = ""] = [], filters: days, word } = unit;
  if (days !== undefined && !/^week/.test(word?.said ?? ""))
    return both(
      { filters: days, groups: ["kind_of_day"] },
      averagePer(setting, { word: { statistic: "avg" } }, figure, { groups: ["day"] }),
    );
  return isGrain(name) ? averagePer(setting, stat, figure, unit) : averageOver(setting, stat, figure, unit);
}

/** The mean among groups, of what is counted: each record of a group has no number of them. */
function averageOver(setting: Setting, stat: Piece, figure: Piece, { groups = [] }: Piece): Piece | undefined {
  const [name, other] = counting(setting, figure)?.measures ?? [];
  const isCount = name !== undefined && measureOf(setting.subject, name).aggregate.kind === "count";
  return isCount && other === undefined && stat.word?.statistic === "avg"
    ? { measures: [name], groups, overGroups: ["average"] }
    : undefined;
}

/** "What kinds of requests": by what tells them apart. */
function kindsOf({ subject }: Setting): Piece | undefined {
  const kind = ["type", "event_type", "action"].find((name) => findDimension(subject, name) !== undefined);
  return kind === undefined ? undefined : { noun: true, groups: [kind], asked: "many" };
}

/** Each of those of which something holds is asked for. */
const eachOf = ({ groups = [] }: Piece): Piece => ({ groups, asked: "many" });
