export type SqlToken = { readonly kind: "keyword" | "string" | "number" | "comment" | "other"; readonly text: string };

const keywords = new Set(
  `all and any as asc between by case cast count cross date day desc distinct else end exists extract false filter first
  from full group having hour if ilike in inner interval is join last left like limit month not null nulls offset on or
  order outer over partition quarter right rows select sum then timestamp true union unnest using values week when where
  window with within year avg min max coalesce`.split(/\s+/),
);

const pattern =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")*"|`[^`]*`)|(?<number>\b\d+(?:\.\d+)?\b)|(?<word>[A-Za-z_]\w*)|(?<rest>\s+|[\s\S])/g;

const kindOf = (groups: Record<string, string | undefined>): SqlToken["kind"] => {
  if (groups["comment"] !== undefined) return "comment";
  if (groups["string"] !== undefined) return "string";
  if (groups["number"] !== undefined) return "number";
  return keywords.has(groups["word"]?.toLowerCase() ?? "") ? "keyword" : "other";
};

/** Splits SQL into tokens for colouring; joined, they are the text unchanged. */
export const toSqlTokens = (sql: string): readonly SqlToken[] => {
  const tokens: SqlToken[] = [];
  for (const match of sql.matchAll(pattern)) {
    const kind = kindOf(match.groups ?? {});
    const last = tokens.at(-1);
    if (last !== undefined && last.kind === kind) tokens[tokens.length - 1] = { kind, text: last.text + match[0] };
    else tokens.push({ kind, text: match[0] });
  }
  return tokens;
};
