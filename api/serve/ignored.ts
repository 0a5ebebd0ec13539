/** What was sent and means nothing here, and the name that it may have been meant for. */
export interface Ignored {
  readonly name: string;
  readonly did_you_mean: string | null;
}

/** Names that an answer tells of, and characters of each. */
export const [mostTold, longestTold] = [10, 64];

/** As a header says them: a list of strings of RFC 9651, what is no plain letter percent-encoded. */
export const toIgnoredHeader = (ignored: readonly Ignored[]): string =>
  ignored
    .map(({ name, did_you_mean: meant }) =>
      meant === null ? quote(name) : `${quote(name)};did-you-mean=${quote(meant)}`,
    )
    .join(", ");

const quote = (name: string): string => `"${encodeURIComponent(name)}"`;
