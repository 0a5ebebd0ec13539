/** The organization, and the most texts to find; `signal` ends the wait for them. */
export interface Seeking {
  readonly orgId: string;
  readonly count: number;
  readonly signal?: AbortSignal | undefined;
}

/** Finds the texts that are most like a question, best first; never rejects. */
export type Similar = <T>(
  question: string,
  all: readonly T[],
  textOf: (each: T) => string,
  seeking: Seeking,
) => Promise<readonly T[]>;

/** Less than a third of the letters in common is another question. */
const least = 0.33;

/** Ranks texts by the runs of three letters that they share with a question, best first; those unlike it are left out. */
export function mostSimilar<T>(
  question: string,
  all: readonly T[],
  textOf: (each: T) => string,
  count: number,
): readonly T[] {
  const own = trigramsOf(question);
  return all
    .map((each) => ({ each, score: overlap(own, trigramsOf(textOf(each))) }))
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ each }) => each);
}

function trigramsOf(text: string): ReadonlySet<string> {
  const plain = ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;
  return new Set(Array.from({ length: Math.max(0, plain.length - 2) }, (_, at) => plain.slice(at, at + 3)));
}

/** Returns the share of words that both sets have (Jaccard index), from 0 to 1. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((each) => other.has(each)).length;
  const all = one.size + other.size - both;
  return all === 0 ? 0 : both / all;
}

/** Similarity by spelling, in place of embeddings. */
export const bySpelling: Similar = async (question, all, textOf, { count }) =>
  mostSimilar(question, all, textOf, count);
