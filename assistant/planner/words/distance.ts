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
