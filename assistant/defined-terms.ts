import { states } from "./catalog/states.ts";
import { listOf } from "./phrasing/figure.ts";

/** "West = CA, OR, WA", "a lead = a call over 30 seconds": a line of a glossary. */
const definition = /^\s*["“]?(?:an? |the )?([\p{L}][\p{L}\p{N} '-]{1,58}?)["”]?\s*=\s*(.{1,200}?)[.;]?\s*$/u;

/** The terms that lines of instructions define, each with what it stands for in a question. */
export function definedTerms(instructions: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of instructions.split("\n")) {
    const [, term, meaning] = definition.exec(line) ?? [];
    if (term !== undefined && meaning !== undefined) found.set(term.trim(), inWords(meaning.trim()));
  }
  return found;
}

/** A list of states by their codes is said by their names: "OR" would be a word. */
function inWords(meaning: string): string {
  const parts = meaning.split(/\s*,\s*(?:and\s+)?/);
  const names = parts.map((part) => states.find(({ code }) => code === part)?.name ?? part);
  return parts.length > 1 ? listOf(names) : (names[0] ?? meaning);
}

export interface Expanded {
  readonly text: string;
  /** Sentences that tell which terms were replaced. */
  readonly notes: readonly string[];
}

/** Replaces the terms of a question by what they stand for, whatever their capitals; the longest first. */
export function withDefinedTerms(question: string, instructions: string): Expanded {
  const notes: string[] = [];
  let text = question;
  for (const [term, meaning] of [...definedTerms(instructions)].toSorted(([a], [b]) => b.length - a.length)) {
    const said = new RegExp(`(?<![\\p{L}\\p{N}])(?:the )?${term.replaceAll(/\s+/g, "\\s+")}(?![\\p{L}\\p{N}])`, "giu");
    const replaced = text.replace(said, () => meaning);
    if (replaced !== text) notes.push(`“${term}” is read as “${meaning}”, as your organization defines it.`);
    text = replaced;
  }
  return { text, notes };
}
