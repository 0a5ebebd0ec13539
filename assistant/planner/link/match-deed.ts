import type { Word } from "../words/tokenize.ts";
import { asValue, type Match } from "./item.ts";

const deeds: Readonly<Record<string, string>> = {
  edits: "update",
  updates: "update",
  deletes: "delete",
  pauses: "pause",
  resumes: "resume",
};

/** "Routing plan edits", "updates by user": what was done, as a noun; in the singular they are commands. */
export function matchDeed(words: readonly Word[], at: number): Match | undefined {
  const { text = "", quoted = false } = words[at] ?? {};
  const value = quoted || !Object.hasOwn(deeds, text) ? undefined : deeds[text];
  return value === undefined ? undefined : asValue({ name: "action", value }, ["audit_logs"]);
}
