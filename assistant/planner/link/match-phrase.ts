import { measureOf, subjectOf, tagKey } from "../../catalog/catalog.ts";
import { stopWords } from "../words/small-words.ts";
import { keyOf, parseNumber, toKey, toWords, type Word } from "../words/tokenize.ts";
import { asMeanings, asValue, type Item, type Match, meaningsOf } from "./item.ts";
import type { Lexicon, Meaning } from "./lexicon.ts";
import type { Known, Names } from "./name-index.ts";

/** The longest phrase of the lexicon that begins here. */
export function matchLexicon(words: readonly Word[], at: number, { meanings, longest }: Lexicon): Match | undefined {
  if (words[at]?.quoted) return undefined;
  for (let length = Math.min(longest, words.length - at); length > 0; length--) {
    const key = keyOf(words.slice(at, at + length));
    // "Or longer than an hour" is another bound, "5 minutes or longer" is one.
    const isBound = /^or /.test(key) && /^(than|\$?\d.*)$/.test(words[at + length]?.text ?? "");
    const isOther =
      isBound || isOfRecords(words, at, key) || countsThings(words, key) || asksWhich(words, at, length, meanings);
    const found = isOther ? undefined : meanings.get(key);
    const fitting =
      length === 1 ? found?.filter((each) => !isOfRecords(words, at, `${key} to`) || isRecord(each)) : found;
    if (fitting !== undefined && fitting.length > 0) return asMeanings(fitting, length);
  }
  return undefined;
}

const asking = /\b(which( of (our|the|my))?( (\d+|two|three|four|five|ten))?|each|every)$/;
/** "Which bidder times out", "each publisher's pings": the first word is what is asked for, not a part of "bidder timeouts". */
function asksWhich(words: readonly Word[], at: number, length: number, meanings: Lexicon["meanings"]): boolean {
  const first = words[at];
  const before = words
    .slice(0, at)
    .map(({ text }) => text)
    .join(" ");
  if (length === 1 || first === undefined || !asking.test(before)) return false;
  const isKind = meanings.get(first.stem)?.some(({ kind }) => kind === "dimension") === true;
  const isFigure = meanings
    .get(keyOf(words.slice(at, at + length)))
    ?.every(({ kind }) => kind === "measure" || kind === "flag");
  return isKind && (isFigure === true || /['’]s$/.test(first.original));
}

/** "How many campaigns were created": each word by itself, since they are no campaigns with calls. */
const countsThings = (words: readonly Word[], key: string): boolean =>
  (/^how many \w+$/.test(key) &&
    words.some(
      (word, at) =>
        key.endsWith(` ${word.stem}`) &&
        words[at - 1]?.text === "many" &&
        /^(ping|delivery|request)$/.test(words[at + 1]?.stem ?? ""),
    )) ||
  (/^how many (campaign|publisher|buyer|target|number)$/.test(key) &&
    (asksOfDeeds(words) ||
      words.some(({ text }, at) => text === "changes" && key.endsWith(words[at - 1]?.text ?? " "))));

const isRecord = (meaning: Meaning): boolean => meaning.kind === "subject";

/** "Changes to campaigns", "every change to …": of those made, where "change to" and "change in" mean something else. */
const isOfRecords = (words: readonly Word[], at: number, key: string): boolean =>
  /^change (to|in|of)$/.test(key) &&
  key.endsWith(words[at + 1]?.text ?? " ") &&
  (words[at]?.text === "changes" ||
    /^(every|each|any|all|no|last|latest|single|first)$/.test(words[at - 1]?.text ?? ""));

/** What is done to things, by the action that the audit log has for it. */
const actions = { create: "add", update: "edit modify", delete: "remove", pause: "", resume: "", adjust: "" };
const deeds = new Map(
  Object.entries(actions).flatMap(([action, others]) =>
    `${action} ${others}`.split(" ").map((verb) => [verb, action] as const),
  ),
);

/** "Routing plan edits", "updates by user", "did Ann pause": what was done; by themselves the verbs are commands. */
export function matchDeed(words: readonly Word[], at: number): Match | undefined {
  const { text = "", stem = "", quoted = false } = words[at] ?? {};
  const isNoun = /^(edits|updates|deletes|pauses|resumes)$/.test(text);
  const isAsked = isNoun || words.slice(0, at).some((word) => /^(did|didnt)$/.test(word.text));
  const value = isAsked && !quoted ? deeds.get(isNoun ? stem : text) : undefined;
  return value === undefined ? undefined : asValue({ name: "action", value }, ["audit_logs"]);
}

const done = /^(created|creation|deleted|deletion|removed|paused|resumed|unpaused|updated|edited|modified|rotated)$/;

/** "How many campaigns were paused": of what was done to things, not of the calls that they got. */
const asksOfDeeds = (words: readonly Word[]): boolean =>
  words.some((word, at) => done.test(word.stem) || matchDeed(words, at) !== undefined);

/**
 * "No api keys", "by an api key": who made changes. "How many api keys were created": what was changed; the audit log has
 * their names alone. Elsewhere the words ask for a secret.
 */
export function matchDoer(words: readonly Word[], at: number): Match | undefined {
  const isKey = words[at]?.text === "api" && words[at + 1]?.stem === "key";
  const before = words[at - 1]?.text ?? "";
  const led = /^(an?|any|the)$/.test(before) ? (words[at - 2]?.text ?? "") : before;
  const isOfChanges = words.some(({ stem }) =>
    /^(change|deletion|creation|updated|deleted|created|edited|rotated|rotation|audit|made)$/.test(stem),
  );
  if (!isKey || !isOfChanges) return undefined;
  const isBeside =
    /^(vs|versus|or|and|from|,)$/.test(led) &&
    words.some(({ stem }) => /^(user|people|person|system|human)$/.test(stem));
  if (!isBeside && !/^(no|not|by|excluding|without|except|via|through|with|using|out|besides|minus|did)$/.test(led))
    return matchKeyChanged(words, at);
  return asValue({ name: "actor_type", value: "api_key" }, ["audit_logs"], 2);
}

/** Only where it is asked how many, who or when: "which api keys were created" asks for the keys. */
function matchKeyChanged(words: readonly Word[], at: number): Match | undefined {
  const opening = words
    .slice(0, at)
    .map(({ text }) => text)
    .join(" ");
  const isCounted = /^(?:and )?(?:how many|(?:the )?number of|count of|who|when)\b/.test(opening);
  const isSecret = words.some(({ text }) => /^(show|give|print|reveal|value|values|secret|secrets|token)$/.test(text));
  if (!isCounted || isSecret) return undefined;
  return asValue({ name: "entity_type", value: "api_key" }, ["audit_logs"], 2);
}

/** "utm_source tag", "the tags promo_code": the word beside a key says that it is one. */
export function matchTagKey(words: readonly Word[], at: number, { whole, longest }: Names): Match | undefined {
  const isTag = (index: number) => words[index]?.stem === "tag";
  const from = isTag(at) ? at + 1 : at;
  for (let length = Math.min(longest, words.length - from); length > 0; length--) {
    const meanings = whole.get(keyOf(words.slice(from, from + length)))?.filter(isKeyOfTag) ?? [];
    if (meanings.length === 0 || (from === at && !isTag(at + length))) continue;
    return asMeanings(meanings, length + 1);
  }
  return undefined;
}

const isKeyOfTag = (meaning: Meaning): boolean => meaning.kind === "dimension" && tagKey(meaning.name) !== undefined;

/** "Disposition sale": behind a tag's key its value, whatever else the word may mean. */
export function matchTagged(
  words: readonly Word[],
  at: number,
  { names, before }: { readonly names: Names; readonly before: Item | undefined },
): Match | undefined {
  const keys = meaningsOf(before).flatMap((each) =>
    each.kind === "dimension" && tagKey(each.name) !== undefined ? [each.name] : [],
  );
  for (let length = keys.length === 0 ? 0 : Math.min(names.longest, words.length - at); length > 0; length--) {
    const found = (names.whole.get(keyOf(words.slice(at, at + length))) ?? []).filter(
      (each) => each.kind === "value" && keys.includes(each.name),
    );
    if (found.length > 0) return asMeanings(found, length);
  }
  return undefined;
}

/** "Cpc calls", "calls from cpc": a rate says nothing of which calls, a tag's value does. */
export function matchQualifier(words: readonly Word[], at: number, { lexicon, names }: Known): Match | undefined {
  const lexical = matchLexicon(words, at, lexicon);
  const isBeside =
    /^(call|traffic|lead)$/.test(words[at + 1]?.stem ?? "") ||
    /^(from|via|through|tagged)$/.test(words[at - 1]?.text ?? "");
  if (lexical?.length !== 1 || !isBeside || lexical.content.kind !== "meanings") return undefined;
  const isRate = lexical.content.meanings.every(
    (each) => each.kind === "measure" && measureOf(subjectOf(each.subject), each.name).aggregate.kind === "ratio",
  );
  const values = (names.whole.get(words[at]?.stem ?? "") ?? []).filter(isTagValue);
  return isRate && values.length > 0 ? asMeanings(values) : undefined;
}

const isTagValue = (meaning: Meaning): boolean => meaning.kind === "value" && tagKey(meaning.name) !== undefined;

const leads =
  /^(from|via|through|tagged|for|on|with|by|where|not|or|and|is|of|to|in|excluding|except|without|only|just|vs|versus|between|were|was|are|had|,|-|\/)$/;
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

/** The longest of the organization's names, or run of words of one, that begins here. */
export function matchName(words: readonly Word[], at: number, { whole, parts, longest }: Names): Match | undefined {
  const find = (key: string, length = 1): Match | undefined => {
    const exact = whole.get(key);
    // "Debt settlement" is a keyword, and most of a campaign's name.
    const found = exact?.every(isTagValue) ? [...exact, ...(parts.get(key) ?? [])] : (exact ?? parts.get(key));
    const said = found?.filter((meaning) => !isTagValue(meaning) || standsAsValue(words, at, length)) ?? [];
    return said.length === 0 ? undefined : asMeanings(said, length);
  };
  if (words[at]?.quoted === true) return find(toKey(words[at]?.original ?? ""));
  for (let length = Math.min(longest, words.length - at); length > 0; length--) {
    const run = words.slice(at, at + length);
    // "Update-revenue" is the name update_revenue, too.
    const found =
      find(keyOf(run), length) ??
      (run[0]?.text === "-" || run.at(-1)?.text === "-"
        ? undefined
        : find(keyOf(run.filter(({ text }) => text !== "-")), length));
    if (found !== undefined && !stopWords.has(words[at]?.text ?? "")) return found;
  }
  return undefined;
}

/** "Keystone East" for "Keystone Senior Benefits East", "Spanish auto": words of one name, none of which means anything else. */
export function matchScattered(words: readonly Word[], at: number, known: Known): Match | undefined {
  let found: readonly string[] = [];
  let length = 0;
  for (let to = at; to < words.length && tells(words[to], known); to++) {
    const run = words.slice(at, to + 1).map(({ stem }) => stem);
    const holding = (known.names.namesWith.get(run[0] ?? "") ?? []).filter((name) => holds(name, run));
    if (holding.length === 0) break;
    found = holding;
    length = run.length;
  }
  const meanings = length < 2 ? [] : [...new Set(found)].flatMap((name) => named(name, known.names));
  return meanings.length === 0 ? undefined : asMeanings(meanings, length);
}

const tells = (word: Word | undefined, { lexicon }: Known): boolean =>
  word !== undefined && !word.quoted && !stopWords.has(word.text) && !lexicon.meanings.has(word.stem);

function holds(name: string, run: readonly string[]): boolean {
  const own = new Set(toWords(name).map(({ stem }) => stem));
  return new Set(run).size === run.length && run.every((word) => own.has(word));
}

const named = (name: string, { whole }: Names): readonly Meaning[] =>
  (whole.get(toKey(name)) ?? []).filter((each) => each.kind === "value" && tagKey(each.name) === undefined);
