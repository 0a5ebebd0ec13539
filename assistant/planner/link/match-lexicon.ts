import { keyOf, type Word } from "../words/tokenize.ts";
import { asMeanings, asValue, type Match } from "./item.ts";
import type { Lexicon, Meaning } from "./lexicon.ts";

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

/** "Which bidder times out", "each publisher's pings": the first word is what is asked for, not a part of "bidder timeouts". */
function asksWhich(words: readonly Word[], at: number, length: number, meanings: Lexicon["meanings"]): boolean {
  const [first, before] = [words[at], words[at - 1]?.text ?? ""];
  if (length === 1 || first === undefined || !/^(which|each|every)$/.test(before)) return false;
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

const deeds: Readonly<Record<string, string>> = {
  edits: "update",
  updates: "update",
  deletes: "delete",
  pauses: "pause",
  resumes: "resume",
};
const verbs: Readonly<Record<string, string>> = {
  create: "create",
  add: "create",
  edit: "update",
  update: "update",
  modify: "update",
  delete: "delete",
  remove: "delete",
  pause: "pause",
  resume: "resume",
  adjust: "adjust",
};

/** "Routing plan edits", "updates by user", "did Ann pause": what was done; by themselves the verbs are commands. */
export function matchDeed(words: readonly Word[], at: number): Match | undefined {
  const { text = "", quoted = false } = words[at] ?? {};
  const asked = words.slice(0, at).some((word) => /^(did|didnt)$/.test(word.text)) ? verbs : {};
  const known = { ...deeds, ...asked };
  const value = quoted || !Object.hasOwn(known, text) ? undefined : known[text];
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
