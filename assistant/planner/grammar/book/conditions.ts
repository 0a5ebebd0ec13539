import { findMeasure } from "../../../catalog/catalog.ts";
import { exactly, ofRecords } from "../bounds.ts";
import { containing, either, negated, none } from "../makes.ts";
import { both, unifyAll } from "../piece.ts";
import { type Production, production as p } from "../production.ts";

/** Conditions: "that converted", "on weekends", "with a promo code", "Texas vs Florida". */
export const conditionsPage: readonly Production[] = [
  p("condition", "only? OF|WITH|'by'? names|DAYS|PARTS|hours|of-length|of-records|of-groups only?"),
  p("condition", "only? WITH? FLAG NOUN only?", ({ previous }, only, flag, noun, more) =>
    unifyAll([only, flag, previous === undefined ? {} : noun, more]),
  ),
  p("condition", "only? WITH? FLAG only?", (_, only, flag, more) =>
    /^[^_ ]*ing$/.test(flag.word?.said ?? "") ? undefined : unifyAll([only, flag, more]),
  ),
  p("condition", "OF|WITH FLAGGED"),
  p("condition", "only NOUN|FLAGGED WITH? names|FLAG|of-length"),
  // "Only the bids that won", behind their average.
  p("condition", "only MEASURE WITH? FLAG", ({ previous, subject }, only, figure, flag) =>
    previous !== undefined && findMeasure(subject, figure.measures?.[0] ?? "")?.aggregate.kind === "count"
      ? unifyAll([only, { filters: flag.filters ?? [] }])
      : undefined,
  ),
  p("condition", "FLAG BUT FLAG|FLAGGED"),
  p("condition", "FLAG BUT of-length", (_, flag, bound) =>
    unifyAll([{ noun: true, filters: flag.filters ?? [] }, bound]),
  ),
  p("condition", "FLAG BUT? NOT FLAGGED", (setting, one, not, other) =>
    both({ noun: true, filters: one.filters ?? [] }, negated(setting, not, other)),
  ),
  // "Calls failing".
  p("condition", "NOUN FLAG", (_, noun, flag) =>
    /^[^_ ]*ing$/.test(flag.word?.said ?? "")
      ? both(noun, { filters: flag.filters ?? [], isGoingOn: true })
      : undefined,
  ),
  p("condition", "FLAG BUT? NOT FLAG NOUN", (setting, one, not, other, noun) =>
    both(both({ noun: true, filters: one.filters ?? [] }, noun), negated(setting, not, other)),
  ),
  // "Payable to the publisher".
  p("condition", "NOT? FLAG 'to' DIM", (setting, not, flag, party) =>
    party.word?.isPlural || !/^(publisher|buyer)$/.test(party.groups?.[0] ?? "")
      ? undefined
      : not.word === undefined
        ? { filters: flag.filters ?? [] }
        : negated(setting, not, flag),
  ),
  p("condition", "only FLAGGED", (_, only, { filters = [] }) => ({ ...only, filters })),
  p("condition", "FLAGGED only", (_, { filters = [] }, only) => ({ ...only, filters })),
  p("only", "ONLY", () => ({ edit: { narrows: true } })),
  p("condition", "names NOUN"),
  p("condition", "OF FLAG NOUN|callers?", (_, flag) => flag),
  p("callers", "DIM", (_, dim) => (dim.groups?.[0] === "caller" ? {} : undefined)),
  p("condition", "OF|WITH amount QUANTITY", (setting, bounds, quantity) => ofRecords(setting, quantity, bounds)),
  p("condition", "OF|WITH NUMBER QUANTITY", (setting, number, quantity) =>
    ofRecords(setting, quantity, exactly(number)),
  ),
  p("condition", "WITH without DIM", (_, _without, dim) => none("empty", dim)),
  p("condition", "DAYS AND|OR OF? DAYS", (_, one, other) => either(one, other)),
  p("condition", "exclusion"),
  p("condition", "EMPTY|without ALL? DIM", ({ previous }, _empty, dim) =>
    // A follow-up takes that group away.
    previous?.dimensions.includes(dim.groups?.[0] ?? "") ? undefined : none("empty", dim),
  ),
  p("condition", "NOT EMPTY DIM", (_, _not, _empty, dim) => none("not_empty", dim)),
  p("condition", "WITH DIM", (_, dim) => (dim.word?.isPlural ? undefined : none("not_empty", dim))),
  p("condition", "DIM CONTAINS ANY", (_, dim, _contains, any) => containing(dim, any)),
  p("without", "NOT", (_, not) => (/^(without|no|lacking)$/.test(not.word?.said ?? "") ? not : undefined)),
];
