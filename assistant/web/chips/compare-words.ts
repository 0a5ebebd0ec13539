/** Periods that are often held against one another. */
export const comparisons = ["the period before", "a year earlier"] as const;

/** A compared period's label as words that name it anew beside another period. */
export const toCompareWords = (label: string): string => {
  const bare = label.replace(/, same part$/, "");
  return / a year earlier$/.test(bare) ? "a year earlier" : bare;
};
