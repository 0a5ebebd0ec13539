/** Phrases parted by commas; "comma" is the sign itself. */
export const phrases = (list: string): readonly string[] =>
  list.split(", ").map((phrase) => (phrase === "comma" ? "," : phrase));
