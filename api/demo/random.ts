/** A source of chance: the next number in [0, 1). */
export type Random = () => number;

/**
 * The same numbers for the same seed on every machine (sfc32 by Chris Doty-Humphrey, public domain; integers only). It
 * makes demo data, never a secret.
 */
export function createRandom(seed: number | string): Random {
  let [a, b, c] = [fold(`${seed}a`), fold(`${seed}b`), fold(`${seed}c`)];
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // Neighbouring seeds give neighbouring states; twelve rounds are what its author asks for to mix them.
  for (let round = 0; round < 12; round++) next();
  return next;
}

/** FNV-1a: spreads a text over 32 bits. */
export function fold(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}

export const chance = (random: Random, probability: number): boolean => random() < probability;

export const between = (random: Random, low: number, high: number): number => low + random() * (high - low);

/** A whole number from `low` to `high`, both included. */
export const wholeBetween = (random: Random, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));

/** Mean of the draws is `mean`: waiting times, short calls. */
export const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random());

/** Half of the draws lie under `median`; `sigma` is the spread of their logarithms: talk and answer times. */
export const logNormal = (random: Random, median: number, sigma: number): number =>
  median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));

export function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

/** One of the items, each as likely as its weight; with no positive weight among them, undefined. */
export function pickWeighted<T>(random: Random, items: readonly T[], weightOf: (item: T) => number): T | undefined {
  let total = 0;
  for (const item of items) total += weightOf(item);
  let rest = random() * total;
  for (const item of items) {
    const weight = weightOf(item);
    if (rest < weight) return item;
    rest -= weight;
  }
  return undefined;
}
