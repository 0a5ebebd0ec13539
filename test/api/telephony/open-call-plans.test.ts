import type Sqlite from "libsql";
import { expect, it, onTestFinished } from "vitest";
import type { Queryable } from "../../../api/database/database.ts";
import { findAbandoned, findArrivingCall, findUnpublished } from "../../../api/telephony/open-call-rows.ts";
import { openSqlite } from "../../../sql/sqlite.ts";
import { orgOne, secondsIn } from "../../make.ts";

/** The steps by which SQLite executes the statement of a search. */
async function planOf(search: (db: Queryable) => Promise<unknown>): Promise<readonly string[]> {
  const connection: Sqlite.Database = await openSqlite(":memory:", "config");
  onTestFinished(() => void connection.close());
  const steps: string[] = [];
  await search({
    async query(text, params = []) {
      const statement = connection.prepare(`EXPLAIN QUERY PLAN ${text.replace(/\$(\d+)/g, "?$1")}`);
      steps.push(...(statement.all([...params]) as { detail: string }[]).map(({ detail }) => detail));
      return [];
    },
  });
  return steps;
}

const readAll = async (pages: AsyncIterable<unknown>): Promise<void> => {
  for await (const _page of pages);
};
const at = secondsIn(0);

it.each([
  ["messages to be published", "open_calls_unpublished", (db: Queryable) => readAll(findUnpublished(db, at, () => {}))],
  ["nobody who routes them", "open_calls_routing", (db: Queryable) => readAll(findAbandoned(db, at))],
  [
    "just come in",
    "open_calls_caller",
    (db: Queryable) => findArrivingCall(db, { orgId: orgOne, caller: "+12125550123", since: at, until: at }),
  ],
])("calls that have %s are found without reading the others", async (_what, index, search) => {
  const steps = await planOf(search);
  expect(steps[0]).toMatch(new RegExp(`^SEARCH open_calls USING INDEX ${index} `));
  expect(steps.filter((step) => step.startsWith("SCAN"))).toEqual([]);
});
