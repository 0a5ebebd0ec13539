import { ofRecords } from "../bounds.ts";
import { counting, rate, rateOf, rateOfTwo } from "../figures.ts";
import { countOfFact, none, portioned } from "../makes.ts";
import { both } from "../piece.ts";
import { type Production, production as p } from "../production.ts";

/** Shares, and the part of a whole under a condition: "what percentage of failed calls were busy". */
export const sharesPage: readonly Production[] = [
  p("part", "SHARE OF? ALL? PERIOD? figure !figure", (setting, share, period, figure) =>
    both(period, rate(setting, share, figure)),
  ),
  p("part", "SHARE OF? names figure", (setting, share, names, figure) => both(names, rate(setting, share, figure))),
  p("part", "MEASURE SHARE &BY|&EACH|&$|&','|&OF", (_, figure) => ({ ...figure, share: true })),
  p("part", "SHARE OF? EACH group-names", (_, _share, groups) => ({ ...groups, share: true })),
  p("part", "SHARE OF? figure figure", (setting, _share, whole, part) => rateOfTwo(setting, whole, part)),
  p("part", "SHARE OF? ALL? PERIOD? NOUN", (setting, share, period, noun) =>
    both(period, rate(setting, share, counting(setting, noun) ?? {})),
  ),
  p(
    "part",
    "SHARE OF? ALL? PERIOD? !FLAGGED figure when? OF|WITH such",
    (_, _share, period, figure, when, { filters = [] }) => both(both(period, when), both(figure, { portion: filters })),
  ),
  p("such", "names|FLAGGED|DAYS|PARTS|hours"),
  p("such", "NOUN? FLAG", (_, _noun, fact) => fact),
  p("part", "SHARE OF? ALL FLAG|FLAGGED 'ones'?", (setting, _share, fact) =>
    both({ share: true }, countOfFact(setting, fact)),
  ),
  p("part", "SHARE OF? ALL? whole when? PARTICLE? part-of-it", (setting, _share, whole, when, _particle, part) =>
    both(when, portioned(setting, whole, part)),
  ),
  p("part", "HOW_MANY 'out' OF ALL whole part-of-it", (setting, _many, whole, part) => portioned(setting, whole, part)),
  p("part", "HOW_MANY SCOPE ALL FLAGGED", (setting, _many, _scope, fact) => {
    const name = rateOf(setting.subject, countOfFact(setting, fact)?.measures?.[0] ?? "");
    return name === undefined ? undefined : { measures: [name] };
  }),
  p("part", "HOW_MANY SCOPE ALL whole part-of-it", (setting, _many, _scope, whole, part) =>
    portioned(setting, whole, part),
  ),
  p("whole", "PERIOD whole"),
  p("part-of-it", "'carried'|'carry'|'carries'|'tagged' names"),
  p("whole", "NOUN|FLAGGED"),
  p("whole", "FLAG|names NOUN", (_, kind) => kind),
  p("whole", "NOUN OF names", (_, _noun, names) => names),
  p("part-of-it", "OF|WITH? names|FLAG|FLAGGED|DAYS|PARTS|hours|of-length|exclusion"),
  p("part-of-it", "OF|WITH? QUANTITY amount", ofRecords),
  p("part-of-it", "OF|WITH? amount OF? QUANTITY", (setting, bounds, quantity) => ofRecords(setting, quantity, bounds)),
  // "Of the calls that took 2 attempts, what percent connected".
  p("part", "SHARE FLAG", (setting, share, fact) =>
    setting.previous !== undefined || / (of|to)\b/.test(share.word?.said ?? "")
      ? undefined
      : portioned(setting, {}, fact),
  ),
  p("part-of-it", "WITH DIM", (_, dim) => none("not_empty", dim)),
];
