import { ordinal } from "../../catalog/statistics.ts";

/** A word and the short and British forms of it that analysts type. */
export const shortForms: ReadonlyMap<string, string> = new Map(
  (
    "last lst, from frm, until till til, requests reqs, hours hrs, how hows, who whos, there theres, that thats, they theyre, " +
    "because bc cuz cos, about abt, though tho, now rn, night nite, tomorrow tmrw tmw, people ppl, previous prev, different diff, " +
    "volume vol, dialed dialled, dialing dialling, histogram hist, distribution dist distr, tuesday tues, wednesday weds, " +
    "thursday thurs, weekend wknd, response resp, account acct, amount amt amnt, source src, please pls plz, month mo mth, months " +
    "mos mths, and n &, campaign camp, campaigns camps, excluding excl, including incl, give gimme, let lemme, yesterday yday " +
    "yest, through thru, between btw, hour hr, multiple mult, duration dur, number qty num nr, count cnt, total tot, average avg, " +
    "maximum max, percent pct perc, conversion conv, conversions convs, with w, without wo, is = equals, week wk, weeks wks, " +
    "revenue rev, publisher pub, publishers pubs, target tgt, targets tgts, unique uniq uniqs, duplicate dup, duplicates dups, " +
    "cumulative cum, before b4, the teh, what wat, are r, you u, your ur, many mny, california cali, something smth, year yr, " +
    "years yrs, quarter qtr, quarters qtrs"
  )
    .split(", ")
    .map((line) => line.split(" "))
    .flatMap(([word = "", ...forms]) => forms.map((form): [string, string] => [form, word])),
);

const units = "seconds?|secs?|minutes?|mins?|hours?|hrs?|ms|milliseconds?|dollars?|bucks|usd|percent|%";

/** Signs and turns of phrase, and the words that say the same; in this order. */
const plain: readonly (readonly [RegExp, string])[] = [
  // "5+ minutes", "20+ calls", "$50+ in revenue", "attempt 4+"
  [new RegExp(`(\\d)\\+\\s*(${units})(?![\\p{L}\\d])`, "giu"), "$1 $2 or more"],
  [/(\d)\+(?!\s?[\d(])/gu, "$1 or more "],
  // "facebook + instagram", "day of week x hour of day"
  [/(\p{L})\s?\+\s?(?=\p{L})/gu, "$1 and "],
  [/(\p{L})\s[x×]\s(?=\p{L})/giu, "$1 and "],
  // "no-route calls", "single-call payout"
  [/\b(no|non|not|single|month|year|week|quarter|to)-(?=\p{L})/giu, "$1 "],
  // "neither from Acme nor from Best": of a negated list every name is meant.
  [/\bneither\b/giu, "not"],
  [/\bnor\b/giu, "and not"],
  [/\bweek(day|end)s?\s?\/\s?week(day|end)s?\b/giu, "week$1 or week$2"],
  // "one-minute steps"
  [new RegExp(`(\\d|\\b(?:an?|one|two|three|four|five|ten))-(?=(?:${units})\\b)`, "giu"), "$1 "],
  // "over 15 minutes long"
  [new RegExp(`(\\d|\\b(?:an?|one|two|three|four|five|ten))\\s?(${units}) long\\b`, "giu"), "$1 $2"],
  [/\bw\/o\b/giu, "without"],
  // "all but Texas", "everyone but Acme", "every call but duplicates"; not "all but two" and "all but the best"
  [
    /\b(?:(?:all|every|any)(?: of)?(?: the| our| my)?( [\p{L}]+)?|every(?:thing|one|body)|any(?:thing|one|body)) but\b(?! (?:for |in |at |with )?(?:the |our |my )?(?:not|no|only|just|without|\d+|one|two|three|four|five|ten|a few|few|top|bottom|best|worst|last|first|latest)\b)/giu,
    "all$1 except",
  ],
  // "leave the duplicates out of it"
  [
    /\b(?:leave|leaving|keep|take|set|setting|put|putting) ((?:[^\s,.;:?!]+ ){0,5}?[^\s,.;:?!]+) (?:out|aside)\b(?: of (?:it|this|that|them))?/giu,
    "excluding $1",
  ],
  // "The best one, if we judge by profit", "measured by profit"
  [
    /(?:, )?\b(?:(?:if|when) (?:i|we|you|one) (?:judge|measure|go)|judg(?:ed|ing)|(?:as )?measured|going)(?: (?:it|them|this))?(?: purely| only| just)? by\b(?! (?:hour|day|week|month))/giu,
    " by",
  ],
  // "profit was negative"
  [/\b(?:our |the )?(profit|margin|roi) (?:was|were|came out|turned out) negative\b/giu, "$1 below 0"],
  [/\b(best|worst|which|what|top) single (?=(?:day|week|month|hour)\b)/giu, "$1 "],
  [/\beverything since\b/giu, "since"],
  [/\b(?:looking )?(?:at|over|across) everything(?: (?:we|you) have(?: got)?)?\b/giu, "of all time"],
  // "did not bring in a single sale"
  [
    /\b(?:did|do|does|has|have|had)(?: not|n['’]?t) (?:have|had|get|got|bring|brought|send|sent|make|made|produce|produced|give|given|see|seen)(?: us| in)? (?:any|a single|one single)\b/giu,
    "had no",
  ],
  // "pay for an average call"
  [/\b(?:for|on|from) (?:an|the) average (?=(?:\p{L}+ )?(?:call|conversion|sale|lead|ping|bid)\b)/giu, "per "],
  // "everyone except Acme"
  [/\b(?:every|any)(?:thing|one|body)(?= (?:except|excluding|other than|besides|apart from|aside from)\b)/giu, "all"],
  // "besides those from Texas"
  [
    /\b(apart from|aside from|besides|except(?: for)?|excluding|other than|not counting) (?:those|the ones|the calls|calls)(?= (?:from|of|to|for|by|in|with)\b)/giu,
    "$1",
  ],
  // "rev/call"
  [
    /(?<!\/[\w.-]*)(\p{L})\s?\/\s?(?=(?:calls?|convs?|conversions?|sales?|pings?|min|minute|hour|day|week|month)\b)/giu,
    "$1 per ",
  ],
  [/\b(more|less|fewer|longer|shorter|greater|higher|lower|larger|smaller|faster|slower)\s+then\b/giu, "$1 than"],
  [/\b(best|top|highest|worst|lowest)[\s-]converting\b/giu, "$1 conversion rate"],
  // "Oct '26"
  [/(?<=[\p{L}\d]\s?)['’](2\d)\b/gu, " 20$1"],
  // "by $"
  [/(?<![\p{L}\d$])\$+(?![\p{L}\d$])/gu, " money "],
];

/** Replaces what `toWords` would drop ("+", brackets) or not know ("nor") by plain words. */
const withPlainSigns = (question: string): string =>
  plain.reduce((text, [said, meant]) => text.replace(said, meant), question);

export interface Word {
  /** As typed. */
  readonly original: string;
  /** Lower case, without apostrophes and what is short behind one: "we" of "we've". */
  readonly text: string;
  /** Singular. */
  readonly stem: string;
  readonly quoted: boolean;
}

const pattern =
  /["“]([^"”]+)["”]|(?<![\p{L}\p{N}/])(?:\/[\w-][\w.-]*){2,}|(?<=\p{L}\s+)[-−–]\$?\d+(?![\d-])|(?<=\b(?:top|bottom|best|worst|over|above|under|below|than)\s+)[-−–]\s\$?\d+|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\d{1,3}(?:\.\d{1,3}){3}|(?:\+?1[-. ]?)?\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b|\+?\d{10,15}\b|\d{4}([-/])\d{1,2}\2\d{1,2}|\d{1,2}-\d{1,2}-20\d\d|\d{1,2}\/\d{1,2}(?:\/(?:20)?\d\d)?(?!\d)|\d{1,2}:\d{2}(?:[ap]m)?\b|\$?\d(?:[\d,]*\d)?(?:\.\d+)?(?:[a-z]+|%)?|[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*|[<>]=?|[&%,\-/=]/giu;

/** Words, numbers, dates and quoted names, in order; hyphens part words. */
export function toWords(question: string): readonly Word[] {
  const words = [...withPlainSigns(question).matchAll(pattern)].map(([original, inner]) => {
    const plain = (inner ?? original)
      .toLowerCase()
      .replace(/['’](?:s|m|d|ve|re|all)$/u, "")
      .replace(/['’]/gu, "");
    const text = inner === undefined ? (toPhone(plain) ?? shortForms.get(plain) ?? plain) : plain;
    return { original: inner ?? original, text, stem: stem(text), quoted: inner !== undefined };
  });
  return withNumbers(words);
}

/** "Two hundred", "twenty-five", "half a dozen" as one word each. */
function withNumbers(words: readonly Word[]): readonly Word[] {
  const joined: Word[] = [];
  for (let at = 0; at < words.length; ) {
    const { length, value } = numberAt(words, at);
    const place = placeAt(words, at);
    const text = place?.text ?? String(value);
    const run = words.slice(at, at + Math.max(1, place?.length ?? length));
    const original = run.map((word) => word.original).join(" ");
    joined.push(...(place || length > 1 ? [{ original, text, stem: text, quoted: false }] : run));
    at += run.length;
  }
  return joined;
}

/** "Twenty-first", "seventeenth", "fifth percentile" in digits; "the third best", "a second call" are no dates. */
function placeAt(words: readonly Word[], at: number) {
  const texts = words.slice(at, at + 3).map(({ text, quoted }) => (quoted ? "" : text));
  const length = [3, 2, 1].find((each) => texts[each - 1] !== "-" && spelledPlaces.has(keyOfPlace(texts, each)));
  const value = length === undefined ? 0 : (spelledPlaces.get(keyOfPlace(texts, length)) ?? 0);
  const isMeant = value > places.length || words[at + (length ?? 0)]?.stem === "percentile";
  return length !== undefined && isMeant ? { length, text: ordinal(value) } : undefined;
}
const keyOfPlace = (texts: readonly string[], length: number): string =>
  texts
    .slice(0, length)
    .filter((text) => text !== "-")
    .join(" ");

const scales: Readonly<Record<string, number>> = { hundred: 100, thousand: 1000, million: 1_000_000, dozen: 12 };

function numberAt(words: readonly Word[], at: number): { readonly length: number; readonly value: number } {
  const textAt = (step: number) => (words[at + step]?.quoted === false ? (words[at + step]?.text ?? "") : "");
  if (textAt(0) === "half" && textAt(1) === "a" && textAt(2) === "dozen") return { length: 3, value: 6 };
  let [total, current, length, least] = [0, /^(a|one)$/.test(textAt(0)) ? 1 : 0, 0, Number.POSITIVE_INFINITY];
  let step = current;
  for (;;) {
    const skip = /^(and|-)$/.test(textAt(step)) && length > 0 && (textAt(step) === "-" || least >= 100) ? 1 : 0;
    const text = textAt(step + skip);
    const scale = scales[text];
    const value = scale === undefined ? (step === 0 || spelled.has(text) ? parseNumber(text) : undefined) : undefined;
    if (scale !== undefined && current > 0 && skip === 0) {
      [total, current] = scale > 100 ? [total + current * scale, 0] : [total, current * scale];
      least = scale;
    } else if (
      value !== undefined &&
      value > 0 &&
      // "A seven day average": no eight.
      (step === 0 || (least < Number.POSITIVE_INFINITY && value < Math.min(least, 100) && (value < 10 || least >= 100)))
    ) {
      current += value;
      least = value < 20 ? 1 : 10;
    } else break;
    length = step + skip + 1;
    step = length;
  }
  return { length, value: total + current };
}

/** "(212) 555-0100", "12125550100" and "+12125550100" are one number; undefined: no phone number. */
function toPhone(text: string): string | undefined {
  if (!/^[+(]?[\d(][\d\-. ()]+$/.test(text) || /^\d{4}-\d/.test(text)) return undefined;
  const digits = text.replace(/\D/g, "");
  if (digits.length === 10) return `+1${digits}`;
  return digits.length > 10 ? `+${digits}` : undefined;
}

/** Good enough to see that "deliveries" and "delivery" are one word; both sides of every comparison go through it. */
export function stem(text: string): string {
  if (text.length > 4 && text.endsWith("ies")) return `${text.slice(0, -3)}y`;
  if (/(ch|sh|ss|x)es$/.test(text)) return text.slice(0, -2);
  if (text.length > 3 && text.endsWith("s") && !/(ss|us|is)$/.test(text)) return text.slice(0, -1);
  return text;
}

/** What phrases are looked up by. */
export const keyOf = (words: readonly Word[]): string => words.map((word) => word.stem).join(" ");
export const toKey = (phrase: string): string => keyOf(toWords(phrase));

const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
export const places = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const teens = "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(" ");
/** All below the hundredth. */
const spelledPlaces = new Map(
  [
    ...places,
    ...teens,
    ...tens.flatMap((ten) => [ten.replace(/y$/, "ieth"), ...places.slice(0, 9).map((place) => `${ten} ${place}`)]),
  ].map((said, index): [string, number] => [said, index + 1]),
);

const spelled = new Map<string, number>([
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, value): [string, number] => [word, value]),
  ...tens.map((word, index): [string, number] => [word, (index + 2) * 10]),
  ["hundred", 100],
  ["thousand", 1000],
  ["couple", 2],
  ["dozen", 12],
]);

/** "12", "1,200", "1.5", "5k", "twelve". */
export function parseNumber(word: string): number | undefined {
  const digits = /^(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(k|m)?$/.exec(word);
  if (digits === null) return spelled.get(word);
  const scale = digits[3] === "k" ? 1000 : digits[3] === "m" ? 1_000_000 : 1;
  return Number(`${digits[1]?.replaceAll(",", "")}${digits[2] ?? ""}`) * scale;
}

/** "1st", "22nd". */
export function parseDayOfMonth(word: string | undefined): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? "");
  const day = Number(digits?.[1]);
  return digits !== null && day >= 1 && day <= 31 ? day : undefined;
}
