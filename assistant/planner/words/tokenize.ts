import { withPlainSigns } from "./signs.ts";

export interface Word {
  /** As typed. */
  readonly original: string;
  /** Lower case, without apostrophes. */
  readonly text: string;
  /** Singular. */
  readonly stem: string;
  readonly quoted: boolean;
}

const pattern =
  /["“]([^"”]+)["”]|\d{1,3}(?:\.\d{1,3}){3}|\+?1?[-. ]?\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b|\+?\d{10,15}\b|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\/\d{1,2}(?:\/\d{4})?|\$?\d(?:[\d,]*\d)?(?:\.\d+)?(?:[a-z]+|%)?|[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*|[<>]=?|[&%,\-/=]/giu;

/** Words, numbers, dates and quoted names, in order; hyphens part words. */
export function toWords(question: string): readonly Word[] {
  return [...spellOut(question).matchAll(pattern)].map(([original, inner]) => {
    const plain = (inner ?? original)
      .toLowerCase()
      .replace(/['’]s$/u, "")
      .replace(/['’]/gu, "");
    const text = inner === undefined ? (toPhone(plain) ?? aliases.get(plain) ?? plain) : plain;
    return { original: inner ?? original, text, stem: stem(text), quoted: inner !== undefined };
  });
}

/** Signs and slips that only their neighbours explain: "rev/call", "longer then", "by $". */
const spellOut = (question: string): string =>
  withPlainSigns(question)
    .replace(/\bi am\b|\bam i\b/giu, "i")
    .replace(/\bw\/o\b/giu, "without")
    .replace(/\b(?:nothing|none|no one|nobody) but\b/giu, "only")
    .replace(
      /^((?:please )?(?:show|list|give|display|see|pull)(?: me| us)? (?:those|these|the)) (?:entries|records|rows|items)\b(?=[\s?.!]*$)/iu,
      "list those",
    )
    .replace(toldOf, "notified calls of $1")
    .replace(calledBy, "notified calls of $1")
    .replace(sentFor, "notified calls of $1 webhooks")
    .replace(allBut, (_, noun: string | undefined) => `all${noun ?? ""} except`)
    .replace(/(\p{L})\s?\/\s?(?=(?:calls?|convs?|conversions?|sales?|pings?)\b)/giu, "$1 per ")
    .replace(
      /\b(more|less|fewer|longer|shorter|greater|higher|lower|larger|smaller|faster|slower)\s+then\b/giu,
      "$1 than",
    )
    .replace(
      /\b(best|top|highest|most|worst|lowest|least)[\s-]converting\b/giu,
      (_, rank: string) => `${plainRanks.get(rank.toLowerCase()) ?? rank} conversion rate`,
    )
    .replace(/\bin\s+\$+(?![\d$])/giu, " ")
    .replace(/(?<![\p{L}\d$])\$+(?![\p{L}\d$])/gu, " money ");

/** "Calls did our webhooks tell anyone about", "calls notified by webhooks", "calls we sent a webhook for". */
const toldOf =
  /\b(?:(?:distinct|different|unique) )?calls (?:(?:did|do|have|that|which) )?((?:[\w.]+ ){0,4}?(?:web)?hooks?) (?:tell|told|notify|notified|reported?)(?: (?:anyone|anybody|people|others|someone|them))?(?: (?:about|of|on))?\b/giu;
const calledBy =
  /\b(?:(?:distinct|different|unique) )?calls (?:(?:that )?(?:were|was|got) )?notified by ((?:(?:an?|any|our|the) )?(?:web)?hooks?)\b/giu;
const sentFor =
  /\b(?:(?:distinct|different|unique) )?calls (?:(?:that|which) )?we (?:sent|fired|posted) (?:an?|any|the|our) (?:([\w.]+) )?webhooks? (?:for|about|of)\b/giu;

/** "All but Texas", "everyone but Acme", "every call but duplicates"; not "all but two" and "all but the best". */
const allBut =
  /\b(?:(?:all|every|any)(?: of)?(?: the| our| my)?( [\p{L}]+)?|every(?:thing|one|body)|any(?:thing|one|body)) but\b(?! (?:for |in |at |with )?(?:the |our |my )?(?:not|no|only|just|without|\d+|one|two|three|four|five|ten|a few|few|top|bottom|best|worst|last|first|latest)\b)/giu;

/** What stands before a figure where a group would be called the most or the best. */
const plainRanks = new Map([
  ["most", "highest"],
  ["least", "lowest"],
]);

/** Short forms that analysts type. */
const aliases = new Map<string, string>([
  ...([
    ["lst", "last"],
    ["frm", "from"],
    ["pls", "please"],
    ["plz", "please"],
    ["mo", "month"],
    ["mos", "months"],
  ] as const),
  ...([
    ["n", "and"],
    ["camp", "campaign"],
    ["camps", "campaigns"],
    ["excl", "excluding"],
    ["incl", "including"],
  ] as const),
  ...([
    ["gimme", "give"],
    ["lemme", "let"],
    ["yday", "yesterday"],
    ["thru", "through"],
    ["btw", "between"],
  ] as const),
  ...([
    ["hr", "hour"],
    ["mult", "multiple"],
    ["dur", "duration"],
    ["qty", "number"],
    ["cnt", "count"],
    ["tot", "total"],
  ] as const),
  ...([
    ["&", "and"],
    ["avg", "average"],
    ["max", "maximum"],
    ["pct", "percent"],
    ["perc", "percent"],
  ] as const),
  ...([
    ["conv", "conversion"],
    ["convs", "conversions"],
    ["w", "with"],
    ["wo", "without"],
    ["num", "number"],
  ] as const),
  ...([
    ["=", "is"],
    ["equals", "is"],
    ["wk", "week"],
    ["wks", "weeks"],
    ["mth", "month"],
    ["mths", "months"],
  ] as const),
  ...([
    ["rev", "revenue"],
    ["pub", "publisher"],
    ["pubs", "publishers"],
    ["tgt", "target"],
    ["tgts", "targets"],
    ["uniq", "unique"],
    ["uniqs", "unique"],
    ["dup", "duplicate"],
    ["dups", "duplicates"],
    ["cum", "cumulative"],
  ] as const),
  ...([
    ["teh", "the"],
    ["wat", "what"],
    ["r", "are"],
    ["u", "you"],
    ["ur", "your"],
    ["mny", "many"],
    ["cali", "california"],
    ["smth", "something"],
    ["yest", "yesterday"],
  ] as const),
  ...([
    ["yr", "year"],
    ["yrs", "years"],
    ["qtr", "quarter"],
    ["qtrs", "quarters"],
  ] as const),
]);

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

/** Letters to change, add, drop or swap with their neighbour to make one of the other; stops counting beyond `most`. */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (older[j - 2] ?? 0) + 1 : change;
      const fewest = Math.min(change, swap, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      row.push(fewest);
      if (fewest < least) least = fewest;
    }
    if (least > most) return most + 1;
    [older, last] = [last, row];
  }
  return Math.min(last[b.length] ?? 0, most + 1);
}
