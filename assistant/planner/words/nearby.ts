/** Letters to change, add, drop or swap with their neighbour to make one of the other; stops counting beyond `most`. */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (older[j - 2] ?? 0) + 1 : change;
      const fewest = Math.min(change, swap, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      row.push(fewest);
      if (fewest < least) least = fewest;
    }
    if (least > most) return most + 1;
    [older, last] = [last, row];
  }
  return Math.min(last[b.length] ?? 0, most + 1);
}

export interface Near {
  readonly word: string;
  readonly letters: number;
}

/** Known words, arranged so that a typo is looked for among the few that can be it. */
export interface WordIndex {
  add(word: string): void;
  /** The words at most so many letters away, in no order. */
  near(said: string, most: number): readonly Near[];
  startingWith(prefix: string): readonly string[];
}

export function createWordIndex(words: Iterable<string> = []): WordIndex {
  const byLength = new Map<number, Map<string, number>>();

  function add(word: string): void {
    const alike = byLength.get(word.length) ?? new Map<string, number>();
    byLength.set(word.length, alike.set(word, lettersOf(word)));
  }

  function near(said: string, most: number): readonly Near[] {
    const own = lettersOf(said);
    const found: Near[] = [];
    for (let length = said.length - most; length <= said.length + most; length++) {
      for (const [word, letters] of byLength.get(length) ?? []) {
        // One change of a letter alters the set of letters by two at most.
        if (countBits(own ^ letters) > 2 * most) continue;
        const away = distance(said, word, most);
        if (away <= most) found.push({ word, letters: away });
      }
    }
    return found;
  }

  for (const word of words) add(word);
  return {
    add,
    near,
    startingWith: (prefix) =>
      [...byLength.values()].flatMap((alike) => [...alike.keys()].filter((word) => word.startsWith(prefix))),
  };
}

/** The letters that occur, one bit each; several letters may share a bit, which only lets more words through. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

function countBits(bits: number): number {
  let left = bits;
  let count = 0;
  while (left !== 0) {
    left &= left - 1;
    count++;
  }
  return count;
}
