import { isShown } from "../retention.ts";
import { raw, type Statement } from "../statement.ts";
import { allTables, storedIn } from "../tables.ts";

/** The time from which rows are shown, for all views alike: they change together when a row is written. */
export const keptFrom = "(SELECT argMax(kept_from, changed_at) FROM retention)";

/** Shows all rows if no retention was ever set. */
const keptFromOrAlways =
  "(SELECT ifNull(argMax(kept_from, changed_at), toDateTime64('1900-01-01 00:00:00', 3, 'UTC')) FROM retention)";

/** The rows that a table's view shows, with those of their versions that the engine has not merged yet. */
export function shownVersions(table: string): Statement {
  const spec = allTables.find((each) => each.table === table);
  if (spec === undefined) throw new Error(`The warehouse has no table ${table}.`);
  return raw(`(SELECT * FROM ${storedIn(table)} WHERE ${isShown(spec, keptFromOrAlways)})`);
}
