/**
 * Every phrase that a wording stands for: of "(a/b)" one is said, and "(a/b)?" may stay unsaid. "(hung/gave) up (first)?"
 * are "hung up first", "hung up", "gave up first" and "gave up".
 */
export function phrasesOf(wording: string): readonly string[] {
  const [part, choices = "", optional] = /\(([^()]*)\)(\??)/.exec(wording) ?? [];
  if (part === undefined) return [wording.replace(/ +/g, " ").trim()];
  const said = [...choices.split("/"), ...(optional === "?" ? [""] : [])];
  return said.flatMap((choice) => phrasesOf(wording.replace(part, () => choice)));
}

/** Whether a wording stands for several phrases. */
export const isChoice = (wording: string): boolean => wording.includes("(");
