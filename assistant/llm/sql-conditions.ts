/** The conditions and figures in a SELECT; names that it gives to columns, and numbers that stand for columns, are left out. */
export interface SqlConditions {
  /** The text in small letters, without times, whose parts are no figures of their own. */
  readonly figures: string;
  /** True where the rows are held to a condition of the catalog, such as "outcome = 'bid'", or grouped by its column. */
  holds(condition: string): boolean;
  /** True for a column that rows are grouped by: each value has rows of its own. */
  groupsBy(column: string): boolean;
}

const alias = /\bas\s+("[^"]*"|[a-z_]\w*)/g;
const ordinals = /\b(group|order)\s+by\s+\d+(\s+(asc|desc))?(\s*,\s*\d+(\s+(asc|desc))?)*/g;

/** Reads the conditions of a SELECT from its text, by columns, operators and literals. */
export function conditionsIn(sql: string): SqlConditions {
  const text = sql.toLowerCase().replaceAll(alias, " ").replaceAll(ordinals, "$1 by ");
  const isGrouped = /\bgroup\s+by\b/.test(text);
  const groupsBy = (column: string): boolean =>
    isGrouped &&
    new RegExp(`(?:\\bselect|\\bdistinct|,)\\s*${named(column)}\\s*(?:,|\\bfrom\\b)|\\bby\\s+${named(column)}`).test(
      text,
    );

  const has = (pattern: string): boolean => new RegExp(pattern).test(text);
  const compares = (column: string): boolean =>
    has(`${named(column)}(?:\\s*,[^()]*)?[\\s)]*(?:[-+*/]\\s*\\d+\\s*)?(?:${operators})`);
  const holdsTerm = (term: string): boolean => {
    const [column = ""] = /[a-z_]\w*/.exec(term.replace(/^(\W*\b(not|coalesce|cast)\b)+/, "")) ?? [];
    // Rows of each value show both sides of "status = 'failed'", but a range of values goes unseen among them.
    if (!/[<>]/.test(term) && [column, ...(alike[column] ?? [])].some(groupsBy)) return true;
    if (alike[column]?.some((other) => compares(other) || has(`count\\(\\s*${named(other)}`))) return true;
    // count(x) and avg(x) leave out what is null, as a condition does.
    if (!/[=<>]|\bin\b/.test(term) || /^\W*(coalesce|cast)\b/.test(term)) return has(named(column));
    const literals = /=\s*'|\bin\b/.test(term) ? (term.match(/'[^']*'/g) ?? []) : [];
    return compares(column) && (literals.length === 0 || literals.some((literal) => text.includes(literal)));
  };

  return {
    figures: text.replaceAll(/\d{4}-\d\d(-\d\d)?/g, ""),
    groupsBy,
    holds: (condition) =>
      condition
        .toLowerCase()
        .split(/\band\b/)
        .every((part) => part.split(/\bor\b/).some(holdsTerm)),
  };
}

/** Columns that tell a fact of the catalog's conditions as well: SQL about pings that became calls reads the calls. */
const alike: Readonly<Record<string, readonly string[]>> = {
  connected_at: ["connect_duration"],
  status: ["connected_at"],
  call_log_id: ["call_id"],
  total_routes: ["allocated_count"],
  calls_received: ["inbound_request_id"],
};

const operators = "[=<>!]|is\\b|in\\b|not\\b|like\\b|ilike\\b|between\\b|::";

/** A column as SQL writes it: by itself, in quotes, or after its table's name. */
const named = (column: string): string => `(?<!\\w)"?${column}"?(?!\\w)`;
