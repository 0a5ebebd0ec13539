import { formsOf } from "./verb-forms.ts";

/** One phrase that a wording stands for, and what was chosen of each of its brackets. */
interface Wording {
  readonly phrase: string;
  readonly choices: readonly string[];
}

/**
 * Expands a wording into its phrases: "(a/b)" stands for either, "(a/b)?" for either or neither. "(hung/gave) up
 * (first)?" becomes "hung up first", "hung up", "gave up first" and "gave up". "~hang" is any form of the verb: "hangs",
 * "hung", "hanging".
 */
export function wordingsOf(wording: string, choices: readonly string[] = []): readonly Wording[] {
  const [part, list = "", optional] = /\(([^()]*)\)(\??)/.exec(wording) ?? [];
  if (part === undefined) {
    const [marked, verb = ""] = /~([a-z]+)/.exec(wording) ?? [];
    return marked === undefined
      ? [{ phrase: wording.replace(/ +/g, " ").trim(), choices }]
      : formsOf(verb).flatMap((form) => wordingsOf(wording.replace(marked, form), choices));
  }
  const said = [...list.split("/"), ...(optional === "?" ? [""] : [])];
  return said.flatMap((choice) =>
    wordingsOf(
      wording.replace(part, () => choice),
      [...choices, choice],
    ),
  );
}

export const phrasesOf = (wording: string): readonly string[] => wordingsOf(wording).map(({ phrase }) => phrase);

/** True where a wording stands for several phrases. */
export const isChoice = (wording: string): boolean => /[(~]/.test(wording);
