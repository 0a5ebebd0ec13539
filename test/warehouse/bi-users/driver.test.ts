import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createClickhouse } from "../../../sql/clickhouse.ts";
import { viewStatements } from "../../../warehouse/bi-users/bi-user.ts";
import { publicColumns } from "../../../warehouse/public-tables.ts";
import { biUsers, password } from "../../services/clickhouse-users.ts";
import { openPoliced } from "../guarded/policed.ts";

const { TEST_CLICKHOUSE_DRIVER: programs = "" } = process.env;

/** What a BI tool asks by its driver: what is there, then a query of its own and one that it may not ask. */
const script = `
import json, sys
from sqlalchemy import create_engine, inspect, text

engine = create_engine(sys.argv[1])
seen = inspect(engine)
[schema] = seen.get_schema_names()
found = {
    "schema": schema,
    "tables": sorted(set(seen.get_table_names(schema))),
    "columns": [each["name"] for each in seen.get_columns("calls", schema)],
}
with engine.connect() as connection:
    rows = connection.execute(text("SELECT DISTINCT org_id FROM calls WHERE started_at > toDateTime('2020-01-01 00:00:00')"))
    found["organizations"] = [row[0] for row in rows]
    try:
        connection.execute(text("SELECT count() FROM trunkline.stored_calls"))
    except Exception as error:
        found["refused"] = "ACCESS_DENIED" in str(error)
print(json.dumps(found))
`;

describe.skipIf(programs === "")("the driver of Superset, clickhouse-connect, with the URI of the guide", () => {
  let host = "";
  beforeAll(async () => {
    const { options, warehouse } = await openPoliced();
    await warehouse.close();
    host = new URL(options.url).host;
    const owner = createClickhouse(options);
    for (const user of [biUsers.one, biUsers.two]) {
      await owner.command({ query: `DROP DATABASE IF EXISTS ${user.database} SYNC` });
      for (const query of viewStatements(user)) await owner.command({ query });
    }
    await owner.close();
  });

  it.each([
    ["org_one", biUsers.one],
    ["org_two", biUsers.two],
  ] as const)("sees the views alone, and in them the rows of %s alone", (orgId, { username, database }) => {
    const uri = `clickhousedb://${username}:${password}@${host}/${database}`;
    const said = execFileSync(join(programs, "python"), ["-c", script, uri], { encoding: "utf8" });
    expect(JSON.parse(said)).toEqual({
      schema: database,
      tables: Object.keys(publicColumns).toSorted(),
      columns: publicColumns.calls,
      organizations: [orgId],
      refused: true,
    });
  });
});
