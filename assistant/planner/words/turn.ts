/** A whole turn of phrase, and the plain words that it stands for. */
export type Turn = readonly [said: RegExp, meant: string];
