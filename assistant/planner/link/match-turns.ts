import type { Word } from "../words/tokenize.ts";
import { asMeanings, asValue, type Match } from "./item.ts";

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
export const asksOfDeeds = (words: readonly Word[]): boolean =>
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

/** The words before the webhooks, how they are named, and what is said behind them. */
const ways: readonly (readonly [before: string, webhooks: string, behind: string])[] = [
  // "calls did our webhooks tell anyone about"
  [
    "(?:(?:did|do|have|that|which) )?",
    "(?:[^ ,]+ ){0,4}?(?:(?:web)?hooks?|postbacks?)",
    " (?:tell|told|notify|notified|reported?)(?: (?:anyone|anybody|people|others|someone|them|us|me|you))?(?: (?:about|of|on))?",
  ],
  // "calls that were notified by our webhooks"
  [
    "(?:(?:that )?(?:were|was|got) )?notified by ",
    "(?:(?:an?|any|our|the) )?(?:outgoing |outbound )?(?:(?:web)?hooks?|postbacks?)",
    "",
  ],
  // "calls we sent a webhook for"
  ["(?:(?:that|which) )?we (?:sent|fired|posted) ", "(?:an?|any|the|our) (?:[^ ,]+ )?webhooks?", " (?:for|about|of)"],
];
const counted = "(?:(?:how many|number of|count of) )?(?:(?:distinct|different|unique) )?calls ";
const patterns = ways.map(
  ([before, webhooks, behind]) =>
    new RegExp(`^(?<before>${counted}${before})(?<webhooks>${webhooks})(?<behind>${behind})(?= |$)`),
);
const mostWords = 14;

/** "How many calls did our webhooks tell anyone about": the calls that webhooks told of; the webhooks are left to be read. */
export function matchTold(words: readonly Word[], at: number): Match | undefined {
  for (let from = Math.max(0, at - mostWords); from <= at; from++) {
    const told = toldAt(words, from);
    if (told === undefined) continue;
    if (from === at)
      return asMeanings(
        [{ kind: "measure", subject: "outgoing_webhook_requests", name: "notified_calls" }],
        told.before,
      );
    if (from + told.before + told.webhooks === at && told.behind > 0)
      return { length: told.behind, content: { kind: "stop" } };
  }
  return undefined;
}

/** How many words each part has; undefined where no such turn of phrase begins. */
function toldAt(words: readonly Word[], from: number) {
  if (!/^(how|number|count|distinct|different|unique|calls)$/.test(words[from]?.text ?? "")) return undefined;
  const said = words.slice(from, from + mostWords).map(({ text, quoted }) => (quoted ? '"' : text));
  for (const pattern of patterns) {
    const { before = "", webhooks = "", behind = "" } = pattern.exec(said.join(" "))?.groups ?? {};
    if (before === "") continue;
    // "Notified by webhooks": the bare noun is no second figure.
    const bare = /^(?:(?:our|the|any|an?|outgoing|outbound) )*(?:(?:web)?hooks?|postbacks?)$/.test(webhooks)
      ? count(webhooks)
      : 0;
    return { before: count(before) + bare, webhooks: count(webhooks) - bare, behind: count(behind) };
  }
  return undefined;
}

const count = (said: string): number => said.split(" ").filter((word) => word !== "").length;
