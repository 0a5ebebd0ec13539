import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAssistant } from "../../assistant/assistant.ts";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import { createNameLoader } from "../../assistant/load-names.ts";
import { createLexicon } from "../../assistant/planner/link/lexicon.ts";
import type { Clock } from "../../ingest/clock.ts";
import type { QueryOptions, QueryResult, Row, Warehouse } from "../../warehouse/warehouse.ts";
import { orgOne } from "../make.ts";
import { now, openExampleWarehouse, zone } from "./example-data.ts";

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openExampleWarehouse();
});
afterAll(() => warehouse.close());

const clock = { now: () => now, sleep: () => Promise.resolve() };
const loaderOver = (query: Warehouse["query"], by: Clock = clock) =>
  createNameLoader({ warehouse: { query }, clock: by, dialect: duckdbDialect, lexicon: createLexicon() });

/** The example's warehouse as one that reads so many rows at most. */
const cutTo =
  (maxRows: number): Warehouse["query"] =>
  (statement, options: QueryOptions = {}) =>
    warehouse.query(statement, { ...options, maxRows: Math.min(maxRows, options.maxRows ?? maxRows) });

describe("the organization's names", () => {
  it("are each the most used of their kind first, a name of every kind before the second of any", async () => {
    let rows: readonly Row[] = [];
    await loaderOver(async (statement, options) => {
      const result = await warehouse.query(statement, options);
      rows = result.rows;
      return result;
    })(orgOne);
    const fields = rows.map(({ field }) => field);
    const kinds = new Set(fields).size;
    expect(kinds).toBeGreaterThan(6);
    expect(new Set(fields.slice(0, kinds)).size).toBe(kinds);
    const buyers = rows.filter(({ field }) => field === "buyer").map(({ value }) => value);
    // Acme also answers every ping.
    expect(buyers).toEqual(["Acme", "Sunny Group"]);
  });
  it("know when they are not all", async () => {
    expect((await loaderOver(cutTo(5))(orgOne)).complete).toBe(false);
    expect((await loaderOver(cutTo(500))(orgOne)).complete).toBe(true);
  });
  it("that were cut are mentioned when a word is not understood, and only then", async () => {
    const assistant = createAssistant({ warehouse: { query: cutTo(5) }, clock });
    const ask = async (question: string) => (await assistant.ask({ orgId: orgOne, timeZone: zone, question })).answer;
    expect(await ask("calls for Zzyzx Holdings")).toMatch(/did not understand .* may not know all of them/);
    expect(await ask("how many calls")).not.toMatch(/may not know/);
  });
  it("are read once for questions that come together", async () => {
    let queries = 0;
    const load = loaderOver((statement, options) => {
      queries += 1;
      return warehouse.query(statement, options);
    });
    const [one, other] = await Promise.all([load(orgOne), load(orgOne)]);
    expect(queries).toBe(1);
    expect(one).toBe(other);
  });
  it("are read again after a failure", async () => {
    let fails = true;
    const load = loaderOver(async (statement, options) => {
      if (!fails) return warehouse.query(statement, options);
      fails = false;
      throw new Error("no connection");
    });
    await expect(load(orgOne)).rejects.toThrow("no connection");
    expect((await load(orgOne)).whole.size).toBeGreaterThan(5);
  });
  it("answer at once while they are read again, and are waited for after a long pause", async () => {
    let at = now;
    let reading: Promise<QueryResult> | undefined;
    const load = loaderOver(
      (statement, options) => {
        reading = warehouse.query(statement, options);
        return reading;
      },
      { ...clock, now: () => at },
    );
    const pass = async (ms: number) => {
      at += ms;
      reading = undefined;
      return load(orgOne);
    };
    const first = await load(orgOne);
    expect(await pass(59_000)).toBe(first);
    expect(reading).toBeUndefined();
    expect(await pass(2_000)).toBe(first);
    expect(reading).toBeDefined();
    await reading;
    const second = await load(orgOne);
    expect(second).not.toBe(first);
    expect(await pass(15 * 60_000)).not.toBe(second);
  });
  it("at hand answer while they cannot be read, but not for long", async () => {
    let [at, reads] = [now, 0];
    const load = loaderOver(
      async (statement, options) => {
        reads += 1;
        if (reads > 1) throw new Error("no connection");
        return warehouse.query(statement, options);
      },
      { ...clock, now: () => at },
    );
    const first = await load(orgOne);
    at += 61_000;
    expect(await load(orgOne)).toBe(first);
    await expect.poll(() => load(orgOne).then(() => reads)).toBeGreaterThan(2);
    at += 15 * 60_000;
    await expect(load(orgOne)).rejects.toThrow("no connection");
  });
});
