import { broughtIn, speed } from "../makes.ts";
import { both } from "../piece.ts";
import { type Production, production as p } from "../production.ts";
import { movedTo } from "../times.ts";

/** How a question may open, and words that say how it is to be read: "compare", "on average", "in ms". */
export const openingsPage: readonly Production[] = [
  // A part of a list is no list.
  p("phrase", "!bounded figures !figure !more-of-list !named-records"),
  p("more-of-list", "',' figure ','|AND"),
  p("bounded", "QUANTITY OF? amount"),
  p("phrase", "figures &payment"),
  // "Calls that the buyer paid for", "that we pay publishers for".
  p("buyer-payment", "!^ ~'what' ~'much' ~'to' paying-whom 'for' !NOUN !names"),
  p("named-records", "names !KIND NOUN", ({ subject }) => (subject.name === "audit_logs" ? undefined : {})),
  p("phrase", "group|rank|condition|when|list|part|series|CHART|opening"),
  // "What did Acme earn": before a thing it asks which one, at the end what it was.
  // Of changes it asks for the things.
  p("opening", "!MEASURE 'what'|'whats' !DIM !GRAIN !KIND !$", ({ subject, previous }) =>
    subject.name === "audit_logs" && previous !== undefined ? undefined : {},
  ),
  // "How high was the rate".
  p("opening", "how-high &MEASURE|&ALL", () => ({})),
  // "Short calls under 10 seconds".
  p("opening", "'short'|'brief' &short-calls", () => ({})),
  p("short-calls", "NOUN|FLAGGED amount", (_, _records, { word }) =>
    word?.bounds?.every(({ op }) => op === "less_than" || op === "at_most") ? {} : undefined,
  ),
  // "Yesterday's numbers: calls, revenue and payout".
  p("opening", "'numbers' &told-figures", () => ({})),
  p("told-figures", "OF? period? ','? figure|NOUN AND|',' figure-list"),
  p("how-high", "'how' 'high'|'low'|'big'|'large'|'good'|'bad'"),
  p("opening", "OF|BY? 'how' !'much' !KIND !DIM !$", () => ({ better: true })),
  p("opening", "OF|BY? 'how' 'much' &NOUN|&MEASURE", () => ({ better: true })),
  p("opening", "OF? 'how' 'much' !KIND !DIM !NOUN !MEASURE", () => ({ better: true, howMuch: "amount" })),
  p("opening", "BY WHICH|HOW_MANY? SHARE &CHANGE|&figure|&NOUN", (_, asking, share) =>
    asking.word || /^how many/.test(share.word?.said ?? "") ? { better: true, howMuch: "difference" } : undefined,
  ),
  p("opening", "^ 'how' &NOUN", () => ({ better: true })),
  // "Payout to publishers", "timeouts from bidders", "429 answers from receivers": all of them are.
  p("opening", "'to'|'from'|'on' ALL? DIM", (_, party) =>
    party.word?.isPlural && /^(publisher|buyer|host)$/.test(party.groups?.[0] ?? "") ? {} : undefined,
  ),
  p("group", "OF? WHICH|EACH|ALL? paired", (_, ...parts) => parts.at(-1)),
  // "Which combination of publisher and buyer".
  p("paired", "pair OF group-names", (_, _pair, { groups = [] }) => ({ groups, pairs: true })),
  p("paired", "DIM DIM pair", (_, one, other) => ({
    groups: [...(one.groups ?? []), ...(other.groups ?? [])],
    pairs: true,
  })),
  p("paired", "group-names pair", (_, { groups = [] }) => ({ groups, pairs: true })),
  p("pair", "'combination'|'combinations'|'combo'|'combos'|'pair'|'pairs'|'pairing'|'pairings'"),
  p("opening", "^ WHICH &LIST|&end", () => ({})),
  p("figure", "MEASURE|'how_long' names answering as-statistic?", (setting, figure, names, _answering, as) =>
    /^how long/.test(figure.word?.said ?? "") ? both(names, speed(setting, as)) : undefined,
  ),
  // "Compare A and B"; behind an answer "vs A" holds it against that.
  p("opening", "^ !held VERSUS", () => ({ compares: true })),
  p("held", "'vs'|'v'|'versus'|'against'|'compared_to'|'compared_with'", ({ previous }) =>
    previous === undefined ? undefined : {},
  ),
  p("opening", "'overall'|'effective'", () => ({})),
  p("opening", "SIDE_BY_SIDE", () => ({ compares: true })),
  p("opening", "WHICH? BETTER", (_, ...parts) => ({ compares: true, better: true, ...movedTo(parts.at(-1) ?? {}) })),
  p("opening", "^ LIST", () => ({ lists: true })),
  p("opening", "^|',' shown", () => ({})),
  // "Give me a report of revenue".
  p("opening", "^ shown? OF &MEASURE|&HOW_MANY", () => ({})),
  // "…, show me all of them", however they rank.
  p("opening", "','? shown? ALL OF &$|&','", ({ previous }) =>
    previous === undefined ? { bothEnds: "of all" } : undefined,
  ),
  p("opening", "shown ALL $", ({ previous }) => (previous === undefined ? { bothEnds: "of all" } : undefined)),
  p("opening", "'their'|'his'|'her'|'its'", () => ({ besides: true })),
  p("figures", "OF|WITH 'their'|'his'|'her'|'its' NOUN"),
  p("opening", "OF? EACH 'one'|'time'|'case'? OF? &$|&','|&AND|&period|&'bring'|&'brought'", () => ({
    compares: true,
    ofEach: true,
  })),
  p("opening", "EACH &OF", () => ({ compares: true, ofEach: true })),
  // "On average", of a figure that is one.
  p("opening", "OF STATISTIC &$|&','|&OF|&PERIOD|&BY|&EACH", (_, { word }) =>
    word?.statistic === "avg" ? { isMean: true } : undefined,
  ),
  // "What has Dana been doing" asks for no better end.
  p("opening", "'doing'|'going'|'performing'|'performed'|'faring'|'fared'|'looking'|'gone'", ({ subject }) =>
    subject.name === "audit_logs" ? {} : { better: true },
  ),
  p("opening", "only 'number'|'numbers'|'figure'|'figures'|'count'|'total'|'amount' &$|&','", ({ previous }) =>
    previous === undefined ? {} : undefined,
  ),
  // "Left us with a margin", "left the most calls unanswered".
  p("opening", "WITH &TOP|&BOTTOM|&PARTICLE", () => ({})),
  p("opening", "PARTICLE !GRAIN", () => ({})),
  p("opening", "'out'|'give'|'see'|'breakdown'", () => ({})),
  p("opening", "'breakdown' OF !NOUN !FLAGGED &figure", () => ({})),
  // "Calls by publisher, revenue too": beside what is counted.
  p("opening", "ALSO &$|&','|&PERIOD|&MEASURE", ({ previous }) =>
    previous === undefined ? { besides: true } : undefined,
  ),
  p("opening", "'as' EACH? CHART", (_, ...parts) => parts.at(-1)),
  p("opening", "PARTICLE WHICH !DIM !GRAIN !KIND !$", () => ({})),
  p("opening", "'bring'|'brings'|'brought'|'bringing' 'in'?", () => ({})),
  // "What did Acme bring in", "what were they worth in revenue".
  p(
    "figures",
    "'what'|'whats'|'how' 'much'? MEASURE? names|all-of-kind|each-group 'bring'|'brings'|'brought'|'worth' 'in'?",
    (setting, figure, who) => (figure.measures ? both(figure, who) : broughtIn(setting, who)),
  ),
  p("figures", "'what'|'whats'|'how' 'much'? 'bring'|'brings'|'brought'|'worth' 'in'? &$|&','|&period|&BY", broughtIn),
  // "How much did the calls over 5 minutes bring in".
  p(
    "figures",
    "'what'|'whats'|'how' 'much'? ALL? records condition? when? 'bring'|'brings'|'brought'|'worth' 'in'?",
    (setting, { filters = [] }, condition, when) => both(when, both(condition, broughtIn(setting, { filters }))),
  ),
  p("list", "'what_changed'|'what_was_changed'|'what_got_changed'", ({ subject }) =>
    subject.name === "audit_logs" ? { listing: true } : undefined,
  ),
  p("opening", "ALL DIM|KIND 'together'", () => ({})),
  // "Which days do people change targets".
  p("opening", "DIM &NOUN|&VERB", ({ subject }, who) =>
    subject.name === "audit_logs" && /s$|people/.test(who.word?.said ?? "") && who.groups?.[0] === "actor"
      ? {}
      : undefined,
  ),
  p("opening", "CHART OF !FLAGGED"),
  // "Which campaign has the lowest margin, and what is it".
  p("opening", "AND 'what'|'whats'|how-high $", ({ subject }) =>
    subject.name === "audit_logs" ? undefined : { howMuch: "of the ranked" },
  ),
  p("opening", "'right'|'just'? 'now'|'currently'|'current'", () => ({ isNow: true })),
  // "In ms": as it is shown anyway.
  p("opening", "AND? HOW_MANY? IN_UNIT", (_, ...parts) => ({ unit: parts.at(-1)?.word?.said ?? "" })),
  p("opening", "OF? SHARE &$|&','|&period", (_, share) =>
    /^(in )?(percent|percentage|%)$/.test(share.word?.said ?? "") ? { unit: "percent" } : undefined,
  ),
  p("when", "SHARE CHANGE", (_, share) =>
    /^(percent|percentage|%)$/.test(share.word?.said ?? "") ? { moves: true } : undefined,
  ),
  p("opening", "'both' !name !period", ({ previous }) => (previous === undefined ? {} : undefined)),
  p("opening", "'both' &period", () => ({ isBoth: true })),
  p("opening", "VERSUS $", () => ({ compares: true })),
  p("opening", "'according_to'|'per' NOUN", ({ subject }, noun) =>
    subject.name === "audit_logs" && /log|trail/.test(noun.word?.said ?? "") ? {} : undefined,
  ),
  p("opening", "'who' &ALL|&end|&COUNT|&MEASURE|&SHARE|&MORE_THAN|&AT_LEAST|&LESS_THAN", () => ({})),
  p("shown", "'show'|'give'|'see'|'find'|'display'|'get'|'pull'|'view'|'provide'|'name'", () => ({ word: {} })),
];
