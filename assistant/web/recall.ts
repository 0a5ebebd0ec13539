/** Where the up arrow stands among the questions asked; `draft` is what was typed before it was first pressed. */
export type Recall = { readonly position: number; readonly draft: string };

/**
 * One press of an arrow: back to the question before, or forward and finally to the draft. Null when there is nowhere
 * to go, so that the key keeps its ordinary meaning.
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
