import { join } from "node:path";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDuckdb } from "../../../sql/duckdb.ts";
import { createDuckdbStore } from "../../../warehouse/duckdb/store.ts";
import { raw } from "../../../warehouse/statement.ts";
import { openDuckdbWarehouse } from "../../../warehouse/warehouse-duckdb.ts";
import { anIncomingRequest, anOutgoingRequest, orgOne, orgTwo, secondsIn } from "../../make.ts";
import { temporaryFolder } from "../../temporary.ts";
import { aCallOf } from "../rtb/store.ts";
import { storing } from "../storing.ts";
import { expectCountsOfRows, openHistory } from "./rig.ts";

const record = fc
  .record({
    id: fc.constantFrom("a", "b", "c", "d"),
    org_id: fc.constantFrom(orgOne, orgTwo),
    // Neighbours in a minute, in a day, and beyond.
    created_at: fc.constantFrom(0, 1, 59, 60, 3600, 86_400, 200_000).map(secondsIn),
    isOutgoing: fc.boolean(),
  })
  .map(({ isOutgoing, ...given }) => (isOutgoing ? anOutgoingRequest(given) : anIncomingRequest(given)));

const version = fc
  .record({
    call: fc.constantFrom("a", "b", "c"),
    org_id: fc.constantFrom(orgOne, orgTwo),
    version: fc.integer({ min: 1, max: 4 }),
  })
  // A call comes in once, whatever is told of it later.
  .map(({ call, org_id, version }) => ({
    ...aCallOf(call, { org_id, version, started_at: secondsIn(call === "a" ? 0 : 90_000) }),
    id: `${org_id}:${call}:${version}`,
  }));

describe("the counts of calls", () => {
  it("are those of the calls, however many versions of one come, in a batch or later", { tags: ["slow"] }, async () => {
    const { warehouse } = await openHistory();
    const store = storing(warehouse, "call-events");
    await fc.assert(
      fc.asyncProperty(fc.array(version, { minLength: 1, maxLength: 12 }), async (versions) => {
        await store(versions);
        await store(versions);
        await expectCountsOfRows(warehouse);
      }),
      { numRuns: 15 },
    );
  });
});

describe("the counts of the histories", () => {
  it("are those of their rows, whatever is given twice, in a batch or again", { tags: ["slow"] }, async () => {
    const { warehouse, publish } = await openHistory();
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 12 }), async (records) => {
        await publish(records);
        await publish(records);
        await expectCountsOfRows(warehouse);
      }),
      { numRuns: 15 },
    );
  });

  it("do not change when the log gives a range again", async () => {
    const { warehouse, publish } = await openHistory();
    const records = [0, 1, 90].map((seconds) =>
      anOutgoingRequest({ id: `${seconds}`, created_at: secondsIn(seconds) }),
    );
    expect(await publish(records)).toEqual({ stored: 3, duplicate: 0 });
    const again = storing(warehouse, "webhook-deliveries");
    expect(await again(records)).toEqual({ stored: 0, duplicate: 3 });
    await expectCountsOfRows(warehouse);
  });

  it("are found wrong by this very check when one of them is", async () => {
    const { warehouse, publish } = await openHistory();
    await publish([anOutgoingRequest()]);
    await warehouse.query(raw("UPDATE loader.stored_outgoing_webhook_requests_by_minute SET requests = 2"));
    await expect(expectCountsOfRows(warehouse)).rejects.toThrow("by minute");
  });
});

/** Statements go through until `left` of them have; then none does any more, as when the process is gone. */
function dying(connection: DuckDBConnection, left: number): DuckDBConnection {
  let remaining = left;
  return new Proxy(connection, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name);
      if (typeof own !== "function") return own;
      return (...given: unknown[]) => {
        if (name !== "run") return own.apply(target, given);
        if (remaining-- <= 0) return Promise.reject(new Error("gone"));
        return own.apply(target, given);
      };
    },
  });
}

describe("a crash while a range is stored", () => {
  const records = [
    ...[0, 1, 90].map((seconds) => anOutgoingRequest({ id: `${seconds}`, created_at: secondsIn(seconds) })),
    anIncomingRequest(),
  ];

  /** Stores the range up to a statement and no further; whether it was stored. */
  async function storeAndDie(path: string, statements: number): Promise<boolean> {
    const instance: DuckDBInstance = await openDuckdb(path, "warehouse");
    const connection = await instance.connect();
    try {
      const store = await createDuckdbStore(dying(connection, statements));
      await storing(store, "webhook-deliveries")(records);
      return true;
    } catch {
      return false;
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  }

  it("leaves rows, counts and the place in the log as they were, and the range can be stored again", {
    tags: ["slow"],
  }, async () => {
    const path = join(temporaryFolder(), "warehouse.duckdb");
    let statements = 0;
    while (!(await storeAndDie(path, statements))) {
      const warehouse = await openDuckdbWarehouse({ path });
      onTestFinished(() => warehouse.close());
      expect(await warehouse.position("webhook-deliveries", 0)).toBe(0);
      const { rows } = await warehouse.query(
        raw("SELECT sum(requests) AS n FROM loader.outgoing_webhook_requests_by_day"),
      );
      expect(rows).toEqual([{ n: null }]);
      await expectCountsOfRows(warehouse);
      await warehouse.close();
      statements += 1;
    }
    // Both tables' rows, both counts of each, the place and the transaction around them.
    expect(statements).toBeGreaterThan(10);
    const warehouse = await openDuckdbWarehouse({ path });
    onTestFinished(() => warehouse.close());
    expect(await warehouse.position("webhook-deliveries", 0)).toBe(records.length);
    await expectCountsOfRows(warehouse);
    const { rows } = await warehouse.query(
      raw("SELECT sum(requests) AS n FROM loader.outgoing_webhook_requests_by_day"),
    );
    expect(rows).toEqual([{ n: 3 }]);
  });
});
