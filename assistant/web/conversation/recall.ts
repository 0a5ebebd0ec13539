/** A position in the questions asked before, and the draft that was typed before the first press of the up arrow. */
export type Recall = { readonly position: number; readonly draft: string };

/**
 * The text after one press of an arrow: the question before, or the next one and finally the draft. Null at either end,
 * where the key keeps its ordinary meaning.
 */
export const recall = (
  asked: readonly string[],
  text: string,
  { now, step }: { now: Recall | null; step: -1 | 1 },
): { readonly text: string; readonly recall: Recall | null } | null => {
  const from = now ?? { position: asked.length, draft: text };
  const position = from.position + step;
  if (position < 0 || position > asked.length) return null;
  if (position === asked.length) return { text: from.draft, recall: null };
  return { text: asked[position] ?? "", recall: { position, draft: from.draft } };
};
