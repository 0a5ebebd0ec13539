/** Their result is as long as all that they are given, this many times: what they escape grows, and lists hold overhead. */
export const joining: ReadonlyMap<string, number> = new Map([
  ...["||", "concat", "concat_ws", "list_value", "row", "struct_pack", "map"].map((name) => [name, 1] as const),
  ...["regexp_escape", "like_escape", "not_like_escape", "ilike_escape", "not_ilike_escape"].map(
    (name) => [name, 2] as const,
  ),
  ...["to_json", "json", "strftime"].map((name) => [name, 2] as const),
  ["url_encode", 3],
  ...["string_split", "str_split", "split", "string_split_regex", "regexp_extract_all"].map(
    (name) => [name, 8] as const,
  ),
]);
/** Functions whose result grows with the rows of a group. */
export const gathering: ReadonlySet<string> = new Set(
  "string_agg group_concat listagg list array_agg histogram map_entries".split(" "),
);
export const ofGathered = 8;
/** They repeat the second for every element of the first. */
export const separating: ReadonlySet<string> = new Set(["array_to_string"]);
/** Numbers, however long what they are worked out from. */
export const measuring: ReadonlySet<string> = new Set(
  "count count_star length len strlen char_length character_length sum avg hash md5 sha256 array_length".split(" "),
);
