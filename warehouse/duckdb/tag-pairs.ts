/** The text that a call's tags are searched in (sql/warehouse/duckdb/0009_tag_pairs.sql). */
export const tagPairs = "tag_pairs";

const [escaping, between, before] = [29, 30, 31].map((code) => String.fromCharCode(code)) as [string, string, string];
const special = [escaping, between, before];

/** Returns the part of the text that calls with that tag have, and no others. */
export const toTagPair = (key: string, value: string): string =>
  `${before}${escaped(key)}${between}${escaped(value)}${before}`;

const escaped = (text: string): string =>
  [...text]
    .map((character) => (special.includes(character) ? escaping + special.indexOf(character) : character))
    .join("");

/** SQL of the text of a map of tags; null of none. */
export const tagPairsOf = (tags: string): string =>
  `CASE WHEN cardinality(${tags}) > 0 THEN array_to_string(list_transform(map_entries(${tags}), lambda pair:
     ${chr(before)} || ${escapedSql("pair.key")} || ${chr(between)} || ${escapedSql("pair.value")}), '') || ${chr(before)} END`;

const chr = (character: string): string => `chr(${character.charCodeAt(0)})`;
const escapedSql = (text: string): string =>
  special.reduce((sql, each, digit) => `replace(${sql}, ${chr(each)}, ${chr(escaping)} || '${digit}')`, text);
