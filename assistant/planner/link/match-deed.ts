import type { Word } from "../words/tokenize.ts";
import { asValue, type Match } from "./item.ts";

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
