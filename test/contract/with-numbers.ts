/** A table `numbers (n)` of whole numbers for the statement behind it, in SQL that every engine has. */
export const withNumbers = (from: number, to: number): string =>
  `WITH RECURSIVE numbers (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to})`;
