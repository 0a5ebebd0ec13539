/**
 * Expands a wording into its phrases: "(a/b)" stands for either, "(a/b)?" for either or neither. "(hung/gave) up
 * (first)?" becomes "hung up first", "hung up", "gave up first" and "gave up".
 */
export function phrasesOf(wording: string): readonly string[] {
  const [part, choices = "", optional] = /\(([^()]*)\)(\??)/.exec(wording) ?? [];
  if (part === undefined) return [wording.replace(/ +/g, " ").trim()];
  const said = [...choices.split("/"), ...(optional === "?" ? [""] : [])];
  return said.flatMap((choice) => phrasesOf(wording.replace(part, () => choice)));
}

/** True where a wording stands for several phrases. */
export const isChoice = (wording: string): boolean => wording.includes("(");
