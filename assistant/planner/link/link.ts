import { weekdayNames } from "../../calendar.ts";
import { measureOf, subjectOf, tagKey } from "../../catalog/catalog.ts";
import { states } from "../../catalog/states.ts";
import { httpMethods } from "../../catalog/webhook-exchange.ts";
import { readPeriod } from "../period/period.ts";
import { parseNumber } from "../words/numbers.ts";
import { stopWords } from "../words/stop-words.ts";
import { toKey, type Word } from "../words/tokenize.ts";
import type { Item, Match } from "./item.ts";
import type { Lexicon, Meaning } from "./lexicon.ts";
import { matchNumber, matchPercentile } from "./match-number.ts";
import { matchScattered } from "./match-scattered.ts";
import type { Names } from "./name-index.ts";

export interface Linking {
  readonly lexicon: Lexicon;
  readonly names: Names;
  readonly now: number;
  readonly zone: string;
}

const stateCodes = new Set(states.map(({ code }) => code));

/** The question as items, the longest reading first at every word; a lexicon's word beats a name as long. */
export function link(words: readonly Word[], linking: Linking): readonly Item[] {
  const items: Item[] = [];
  let at = 0;
  while (at < words.length) {
    const matches = [
      matchDays(words, at),
      matchTagged(words, at, { names: linking.names, before: items.at(-1) }),
      matchQualifier(words, at, linking),
      matchTagKey(words, at, linking.names),
      matchDoer(words, at),
      matchLexicon(words, at, linking.lexicon),
      matchName(words, at, linking.names),
      matchScattered(words, at, linking),
      matchPeriod(words, at, linking),
      matchPercentile(words, at),
      matchPhone(words, at),
      matchNumber(words, at),
    ].filter((match) => match !== undefined);
    const best = matches.reduce<Match | undefined>(
      (a, b) => (a === undefined || b.length > a.length ? b : a),
      undefined,
    );
    const match = best ?? lastResort(words, at, linking.names);
    const said = words
      .slice(at, at + match.length)
      .map((word) => word.original)
      .join(" ");
    items.push({ ...match.content, from: at, to: at + match.length, said });
    at += match.length;
  }
  return items;
}

const keyAt = (words: readonly Word[], at: number, length: number): string =>
  words
    .slice(at, at + length)
    .map((word) => word.stem)
    .join(" ");

function matchLexicon(words: readonly Word[], at: number, { meanings, longest }: Lexicon): Match | undefined {
  if (words[at]?.quoted) return undefined;
  for (let length = Math.min(longest, words.length - at); length > 0; length--) {
    const key = keyAt(words, at, length);
    const found = isOfRecords(words, at, key) ? undefined : meanings.get(key);
    const fitting =
      length === 1 ? found?.filter((each) => !isOfRecords(words, at, `${key} to`) || isRecord(each)) : found;
    if (fitting !== undefined && fitting.length > 0)
      return { length, content: { kind: "meanings", meanings: fitting } };
  }
  return matchState(words, at) ?? matchMethod(words, at) ?? matchDeed(words, at);
}

const isRecord = (meaning: Meaning): boolean => meaning.kind === "subject";

/** "Changes to campaigns", "every change to …": of those made, where "change to" and "change in" mean something else. */
const isOfRecords = (words: readonly Word[], at: number, key: string): boolean =>
  /^change (to|in|of)$/.test(key) &&
  key.endsWith(words[at + 1]?.text ?? " ") &&
  (words[at]?.text === "changes" ||
    /^(every|each|any|all|no|last|latest|single|first)$/.test(words[at - 1]?.text ?? ""));

/** Codes that are words too: only in capitals are they states. */
const wordCodes = new Set(["AL", "CO", "DE", "HI", "ID", "IN", "LA", "MA", "ME", "MS", "OH", "OK", "OR", "PA"]);

/** "TX" in capitals, "from tx" or "tx calls". */
function matchState(words: readonly Word[], at: number): Match | undefined {
  const { original = "" } = words[at] ?? {};
  const code = original.toUpperCase();
  const shouted = words.every((word) => word.original === word.original.toUpperCase());
  const placed = /^(from|in|for|state|vs|and|or)$/.test(words[at - 1]?.text ?? "");
  const isBeside = /^(call|caller|traffic)$/.test(words[at + 1]?.stem ?? "") && !wordCodes.has(code);
  const isCode = isBeside || (original === code && !shouted) ? true : placed && !wordCodes.has(code);
  if (!stateCodes.has(code) || !isCode) return undefined;
  const meanings = (["calls", "inbound_rtb_requests"] as const).map(
    (subject): Meaning => ({ kind: "value", subject, name: "state", value: code }),
  );
  return { length: 1, content: { kind: "meanings", meanings } };
}

/** "No api keys", "by an api key": who made changes; elsewhere the words ask for a secret. */
function matchDoer(words: readonly Word[], at: number): Match | undefined {
  const isKey = words[at]?.text === "api" && words[at + 1]?.stem === "key";
  const before = words[at - 1]?.text ?? "";
  const led = /^(an?|any|the)$/.test(before) ? (words[at - 2]?.text ?? "") : before;
  const isOfChanges = words.some(({ stem }) =>
    /^(change|deletion|creation|updated|deleted|created|edited|audit)$/.test(stem),
  );
  if (!isKey || !isOfChanges || !/^(no|not|by|excluding|without|except|via|through)$/.test(led)) return undefined;
  const doer: Meaning = { kind: "value", subject: "audit_logs", name: "actor_type", value: "api_key" };
  return { length: 2, content: { kind: "meanings", meanings: [doer] } };
}

const deeds: ReadonlyMap<string, string> = new Map([
  ...([
    ["edits", "update"],
    ["updates", "update"],
  ] as const),
  ...([
    ["deletes", "delete"],
    ["pauses", "pause"],
    ["resumes", "resume"],
  ] as const),
]);

/** "Routing plan edits", "updates by user": what was done, as a noun; in the singular they are commands. */
function matchDeed(words: readonly Word[], at: number): Match | undefined {
  const value = deeds.get(words[at]?.text ?? "");
  if (value === undefined) return undefined;
  const deed: Meaning = { kind: "value", subject: "audit_logs", name: "action", value };
  return { length: 1, content: { kind: "meanings", meanings: [deed] } };
}

/** "Using GET", "method put": a webhook's method, where the same word in small letters means little or something else. */
function matchMethod(words: readonly Word[], at: number): Match | undefined {
  const { original = "" } = words[at] ?? {};
  const value = original.toUpperCase();
  const shouted = words.every((word) => word.original === word.original.toUpperCase());
  const placed = /^(using|via|method|methods|verb)$/.test(words[at - 1]?.text ?? "");
  if (!httpMethods.includes(value) || !(placed || (original === value && !shouted))) return undefined;
  const meanings = (["outgoing_webhook_requests", "incoming_webhook_requests"] as const).map(
    (subject): Meaning => ({ kind: "value", subject, name: "method", value }),
  );
  return { length: 1, content: { kind: "meanings", meanings } };
}

function matchName(words: readonly Word[], at: number, { whole, parts, longest }: Names): Match | undefined {
  const find = (key: string, length = 1) => {
    const found = whole.get(key) ?? parts.get(key);
    const said = found?.filter((meaning) => !isTagValue(meaning) || standsAsValue(words, at, length));
    return said === undefined || said.length === 0 ? undefined : said;
  };
  const quoted = words[at]?.quoted === true;
  if (quoted) {
    const found = find(toKey(words[at]?.original ?? ""));
    return found === undefined ? undefined : { length: 1, content: { kind: "meanings", meanings: found } };
  }
  for (let length = Math.min(longest, words.length - at); length > 0; length--) {
    const found = find(keyAt(words, at, length), length);
    if (found !== undefined && !stopWords.has(words[at]?.text ?? ""))
      return { length, content: { kind: "meanings", meanings: found } };
  }
  return undefined;
}

/** "utm_source tag", "the tags promo_code": the word beside a key says that it is one. */
function matchTagKey(words: readonly Word[], at: number, { whole, longest }: Names): Match | undefined {
  const isTag = (index: number) => words[index]?.stem === "tag";
  const from = isTag(at) ? at + 1 : at;
  for (let length = Math.min(longest, words.length - from); length > 0; length--) {
    const meanings = whole.get(keyAt(words, from, length))?.filter(isKeyOfTag) ?? [];
    if (meanings.length === 0 || (from === at && !isTag(at + length))) continue;
    return { length: length + 1, content: { kind: "meanings", meanings } };
  }
  return undefined;
}

const isKeyOfTag = (meaning: Meaning): boolean => meaning.kind === "dimension" && tagKey(meaning.name) !== undefined;

/** "Disposition sale": behind a tag's key its value, whatever else the word may mean. */
function matchTagged(
  words: readonly Word[],
  at: number,
  { names, before }: { readonly names: Names; readonly before: Item | undefined },
): Match | undefined {
  if (before?.kind !== "meanings") return undefined;
  const keys = before.meanings.flatMap((each) =>
    each.kind === "dimension" && tagKey(each.name) !== undefined ? [each.name] : [],
  );
  for (let length = keys.length === 0 ? 0 : Math.min(names.longest, words.length - at); length > 0; length--) {
    const found = (names.whole.get(keyAt(words, at, length)) ?? []).filter(
      (each) => each.kind === "value" && keys.includes(each.name),
    );
    if (found.length > 0) return { length, content: { kind: "meanings", meanings: found } };
  }
  return undefined;
}

/** "Cpc calls", "calls from cpc": a rate says nothing of which calls, a tag's value does. */
function matchQualifier(words: readonly Word[], at: number, { lexicon, names }: Linking): Match | undefined {
  const lexical = matchLexicon(words, at, lexicon);
  const isBeside =
    /^(call|traffic|lead)$/.test(words[at + 1]?.stem ?? "") || /^(from|via|through)$/.test(words[at - 1]?.text ?? "");
  if (lexical?.length !== 1 || !isBeside || lexical.content.kind !== "meanings") return undefined;
  const isRate = lexical.content.meanings.every(
    (each) => each.kind === "measure" && measureOf(subjectOf(each.subject), each.name).aggregate.kind === "ratio",
  );
  const values = (names.whole.get(keyAt(words, at, 1)) ?? []).filter(isTagValue);
  return isRate && values.length > 0 ? { length: 1, content: { kind: "meanings", meanings: values } } : undefined;
}

const isTagValue = (meaning: Meaning): boolean => meaning.kind === "value" && tagKey(meaning.name) !== undefined;

const leads =
  /^(from|via|through|for|on|with|by|where|not|or|and|is|of|to|in|excluding|except|without|only|just|vs|versus|between|were|was|are|had|,|-|\/)$/;
const trails = /^(call|traffic|lead|caller|tag|revenue|profit|payout|conversion|visitor|click|and|or|vs|versus|,)$/;

/** A tag may have any word for a value: where the words around do not make it one, it is just that word. */
function standsAsValue(words: readonly Word[], at: number, length: number): boolean {
  const [before, after] = [words[at - 1], words[at + length]];
  const isNumber = parseNumber(words[at]?.text ?? "") !== undefined && length === 1;
  const isLed = before !== undefined && (leads.test(before.text) || isTagKey(before));
  return (
    !isNumber &&
    (isLed || words[at]?.quoted === true || (after !== undefined && (trails.test(after.stem) || isTagKey(after))))
  );
}
/** Keys are words of one kind with their values' neighbours: "utm source google", "language es", "lead type renter". */
const isTagKey = ({ text }: Word): boolean =>
  /^(source|medium|campaign|content|term|keyword|type|language|band|code|id|subid|disposition|tag|key)$/.test(text);

/** A bare year or month is a period only where it cannot be a number or a verb. */
function matchPeriod(words: readonly Word[], at: number, { now, zone }: Linking): Match | undefined {
  const texts = words.slice(at).map((word) => (word.text === "," ? "" : word.text));
  const found = readPeriod(texts, now, zone);
  if (found === undefined) return undefined;
  const before = words[at - 1]?.text ?? "";
  const bare = found.words === 1 ? (texts[0] ?? "") : "";
  if (/^\d+$/.test(bare) && /^(than|over|under|top|bottom|least|most|above|below|between)$/.test(before))
    return undefined;
  if (
    ["may", "march"].includes(bare) &&
    !/^(in|for|during|of|from|to|until|and|vs|versus|by)$/.test(before) &&
    at !== 0
  )
    return undefined;
  return { length: found.words, content: { kind: "period", period: found.period } };
}

/** "Mondays", "weekdays". */
function matchDays(words: readonly Word[], at: number): Match | undefined {
  const text = words[at]?.text ?? "";
  const before = words[at - 1]?.text;
  const day = weekdayNames.filter((name) => text === `${name.toLowerCase()}s`);
  const beforeNoun = text === "weekday" && /^(call|traffic|lead)$/.test(words[at + 1]?.stem ?? "");
  const isOfWeek = text === "weekdays" && (before === "on" || before === "during");
  const days = isOfWeek || (beforeNoun && before !== "by") ? weekdayNames.slice(0, 5) : day;
  return days.length === 0
    ? undefined
    : { length: 1, content: { kind: "meanings", meanings: [{ kind: "days", days }] } };
}

/** A phone number that is none of the organization's is a caller's; an address is where a change came from. */
function matchPhone(words: readonly Word[], at: number): Match | undefined {
  const text = words[at]?.text ?? "";
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) {
    const address: Meaning = { kind: "value", subject: "audit_logs", name: "source_ip", value: text };
    return { length: 1, content: { kind: "meanings", meanings: [address] } };
  }
  if (!/^\+\d{10,15}$/.test(text)) return undefined;
  const meanings = (["calls", "inbound_rtb_requests"] as const).map(
    (subject): Meaning => ({ kind: "value", subject, name: "caller", value: text }),
  );
  return { length: 1, content: { kind: "meanings", meanings } };
}

/** One word of a longer name, a word without weight, or a word that we do not know. */
function lastResort(words: readonly Word[], at: number, { byWord, whole }: Names): Match {
  const word = words[at];
  if (word === undefined || stopWords.has(word.text)) return { length: 1, content: { kind: "stop" } };
  // "Break google down by campaign": a tag's value that is no other word.
  const found = word.text.length >= 3 ? (byWord.get(word.stem) ?? whole.get(word.stem)) : undefined;
  return { length: 1, content: found === undefined ? { kind: "unknown" } : { kind: "meanings", meanings: found } };
}
