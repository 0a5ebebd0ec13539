import { amount, ofColumn, ofGroups, ofRecords } from "../bounds.ts";
import { counting, statistic } from "../figures.ts";
import { asked, countOfFact, highest, listed, opposites, portioned, ranked, sideBySide } from "../makes.ts";
import { both, type Piece } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";

/** Clauses: what limits the question from outside, how many of those, and what is asked for in a second half. */
export const clauseBook: readonly Production[] = [
  // "Considering only weekdays", "limited to targets with over 100 calls", "looking only at winning bids".
  p("condition", "SCOPE OF? names|FLAG|DAYS|WEEKDAYS|PARTS|hours|of-length|of-records|of-groups|exclusion"),
  p("condition", "SCOPE OF? FLAG? NOUN", (_, _scope, flag) => ({
    noun: true,
    ...(flag.filters && { filters: flag.filters }),
  })),
  p("condition", "SCOPE OF? FLAGGED", (_, _scope, fact) => ({ filters: fact.filters ?? [] })),
  // "Leaving out buyers with fewer than 40 calls".
  p(
    "of-groups",
    "NOT DIM|GRAIN|KIND|'anything'? OF|WITH? amount OF? figure|NOUN",
    (setting, _not, head, bounds, figure) => both(head, ofOthers(setting, counting(setting, figure), bounds)),
  ),
  p("of-groups", "NOT DIM|GRAIN|KIND OF|WITH? figure OF? amount", (setting, _not, head, figure, bounds) =>
    both(head, ofOthers(setting, figure, bounds)),
  ),
  // "How many came from a ping and how many of those converted": the second among the first.
  p("figures", "HOW_MANY NOUN? FLAG when? AND HOW_MANY FLAG", (setting, _many, noun, one, when, more, other) =>
    both(when, amongThose(setting, both(noun, { filters: one.filters ?? [] }), more, other)),
  ),
  p("figures", "FLAGGED|counted-kind AND HOW_MANY FLAG", (setting, one, more, other) =>
    amongThose(setting, { filters: one.filters ?? [] }, more, other),
  ),
  p("counted-kind", "HOW_MANY FLAGGED", (_, _many, fact) => fact),
  p("figure-list", "HOW_MANY AND|',' AND? more-figures", (setting, _many, figures) =>
    both(counting(setting, { noun: true }), figures),
  ),
  p("figure", "STATISTIC HOW_MANY QUANTITY|MEASURE", (setting, of, _many, figure) => statistic(setting, of, figure)),
  // "How many through the API and how many by users": side by side.
  p("condition", "OF? name AND HOW_MANY OF? name", (_, one, _many, other) => sideBySide(one, other)),
  // "Which calls lasted over an hour": the calls themselves.
  p("list", "^ WHICH ALL? NOUN|FLAGGED|bound-records", (_, records) =>
    records.word?.isPlural || /s\b/.test(records.word?.said ?? "")
      ? listed({}, { ...records, word: { isPlural: true } })
      : undefined,
  ),
  // "Which five states", "which status codes of 400 and above".
  p("rank", "WHICH COUNT DIM|GRAIN|KIND", (setting, count, name) => ranked(setting, {}, count, name)),
  p("group", "WHICH ALL? DIM OF? amount", (setting, dim, bounds) =>
    both(asked(setting, dim), ofColumn(setting, dim, bounds)),
  ),
  // "Made by Acme": the word before the name says whose.
  p("condition", "DIM names", (_, dim, names) => (/ (by|with)$/.test(dim.word?.said ?? "") ? names : undefined)),
  // "… the largest share of calls", "and what share is it".
  p("rank", "end SHARE ALL? figure|NOUN", (setting, end, _share, figure) =>
    both({ share: true }, highest(setting, end, counting(setting, figure))),
  ),
  p("part", "AND? WHICH|'what'|'whats'|'how_much'? SHARE $", () => ({ share: true })),
  // "Connected for at least 60 seconds": how long, where "in" and "within" tell how soon.
  p("of-records", "FLAG 'for' amount", connectedFor),
  // "On the 6th attempt or later".
  p("of-records", "'from' NUMBER QUANTITY 'on'|'onwards'|'onward'|'upwards'", (setting, number, quantity) =>
    ofRecords(setting, quantity, amount("at_least", number)),
  ),
  p("of-records", "NUMBER QUANTITY OR_MORE", (setting, number, quantity) =>
    ofRecords(setting, quantity, amount("at_least", number)),
  ),
  // "What percentage of each publisher's calls were shorter than 30 seconds".
  p("part", "SHARE OF? EACH group-names whole when? part-of-it", (setting, _share, groups, whole, when, part) =>
    both(both(when, groups), portioned(setting, whole, part)),
  ),
  // "Who paused something, and what was it": the names of what was changed.
  p("group", "AND 'to'? 'what'|'whats' $", ({ subject }) =>
    subject.name === "audit_logs" ? { groups: ["entity"] } : undefined,
  ),
  // "Failed because of busy": of what failed.
  p("part-of-it", "FLAG? 'because'|'because_of'|'due_to'|'owing_to' OF? names", (_, _fact, names) => ({
    filters: names.filters ?? [],
  })),
];

/** The bound of those that stay where others are left out; of several bounds there is none. */
function opposite({ word }: Piece): Piece | undefined {
  const [bound, other] = word?.bounds ?? [];
  const op = bound && opposites[bound.op];
  return other === undefined && bound && op ? { word: { bounds: [{ ...bound, op }] } } : undefined;
}

function ofOthers(setting: Setting, figure: Piece | undefined, bounds: Piece): Piece | undefined {
  const others = opposite(bounds);
  return others && ofGroups(setting, figure ?? {}, others);
}

/** All of those that the first condition holds of, and how many of them the second does. */
function amongThose(setting: Setting, those: Piece | undefined, more: Piece, fact: Piece): Piece | undefined {
  if (!/ of$/.test(more.word?.said ?? "")) return undefined;
  return both(those, both({ measures: [setting.subject.defaultMeasure] }, countOfFact(setting, fact)));
}

function connectedFor(setting: Setting, fact: Piece, bounds: Piece): Piece | undefined {
  const isConnected =
    setting.subject.name === "calls" && fact.word?.flag === "connected" && fact.filters?.[0]?.values[0];
  return isConnected ? ofRecords(setting, { word: { quantity: "connect_duration" } }, bounds) : undefined;
}
