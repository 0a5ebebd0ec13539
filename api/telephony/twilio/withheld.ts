/** Words that carriers show for a number that was withheld, as a telephone's keys spell them behind a plus sign. */
const withheld: ReadonlySet<string> = new Set([
  "+266696687", // ANONYMOUS
  "+7378742833", // RESTRICTED
  "+2562533", // BLOCKED
  "+8656696", // UNKNOWN
  "+86282452253", // UNAVAILABLE
]);

/** Whether this is no number of a caller: the last of them could be one in China, and all who have it one person. */
export const isWithheld = (from: string): boolean => withheld.has(from.trim());
