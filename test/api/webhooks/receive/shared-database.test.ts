import { describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../../../api/database/database.ts";
import { openPostgresDatabase } from "../../../../api/database/database-postgres.ts";
import { openSqliteDatabase } from "../../../../api/database/database-sqlite.ts";
import { createDatabase, testDatabaseUrl } from "../../../postgres-server.ts";
import { aCall, openRig } from "./rig.ts";

const noServer = testDatabaseUrl === undefined;
if (noServer)
  process.stderr.write("SKIPPED: receivers that share a PostgreSQL server. `npm run test:services` runs them.\n");

/** As many handles of one database as there are processes. */
const databases: Record<string, () => Promise<[Database, Database]>> = {
  async DuckDB() {
    const database = await openSqliteDatabase({ path: ":memory:" });
    onTestFinished(() => database.close());
    return [database, database];
  },
  async PostgreSQL() {
    const { url, remove } = await createDatabase();
    onTestFinished(remove);
    const open = async () => {
      const database = await openPostgresDatabase({ url });
      onTestFinished(() => database.close());
      return database;
    };
    return [await open(), await open()];
  },
};

describe.each(Object.keys(databases))("two receivers on %s", (name) => {
  const skips = name === "PostgreSQL" && noServer;
  const open = async () => {
    const [database, handle] = (await databases[name]?.()) ?? [];
    if (database === undefined || handle === undefined) throw new Error(`no ${name}`);
    const rig = await openRig({ database });
    await rig.take(aCall({ id: "call" }));
    return { rig, one: rig.openProcess(), other: rig.openProcess({ handle }), handle };
  };
  const body = { transaction_id: "t-1", call_id: "call", add: { a: "1" } };

  it.skipIf(skips)("do 200 repeats of one transaction once, and answer the same or that it is in flight", async () => {
    const { rig, one, other } = await open();
    const sent = Array.from({ length: 200 }, (_, index) =>
      (index % 2 === 0 ? one : other).send("update_tags", { ...body, add: { a: String(index) } }),
    );
    const outcomes = await Promise.allSettled(sent);
    const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.status] : []));
    expect(refusals).toEqual(refusals.map(() => 409));
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await other.send("update_tags", body)).toEqual({ ...answers[0], isReplayed: true });
    const [first] = answers;
    expect((await rig.folded("call", 1)).tags).toEqual(JSON.parse(first?.body ?? "").after);
    expect(rig.troubles).toEqual([]);
  });

  it.skipIf(skips).each(["before telling", "after telling"] as const)(
    "finish a transaction of which one died %s the log, once and with the answer that was written down",
    async (dies) => {
      const { rig, other, handle } = await open();
      await expect(rig.openProcess({ dies, handle }).send("update_tags", body)).rejects.toThrow("gone");
      await expect(other.send("update_tags", body)).rejects.toMatchObject({ status: 409 });
      rig.clock.advance(30_000);
      const again = await Promise.allSettled(
        Array.from({ length: 20 }, () => other.send("update_tags", { ...body, add: { a: "other" } })),
      );
      const answers = again.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.body] : []));
      expect(answers.length).toBeGreaterThan(0);
      expect(new Set(answers).size).toBe(1);
      expect(JSON.parse(answers[0] ?? "")).toMatchObject({ call_id: "call", before: { a: null }, after: { a: "1" } });
      expect((await rig.folded("call", 1)).tags).toEqual({ a: "1" });
    },
  );
});
