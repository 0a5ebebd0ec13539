import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createAssistant } from "../../../assistant/assistant.ts";
import { duckdbDialect } from "../../../assistant/compile/dialect-duckdb.ts";
import { createNameLoader } from "../../../assistant/names/load-names.ts";
import { catalogLexicon } from "../../../assistant/planner/link/lexicon.ts";
import type { Clock } from "../../../ingest/clock.ts";
import type { QueryOptions, Row, Warehouse } from "../../../warehouse/warehouse.ts";
import { anAuditRecord, orgOne } from "../../make.ts";
import { now, openExampleWarehouse, zone } from "../example-data.ts";

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openExampleWarehouse();
});
afterAll(() => warehouse.close());

const { toReadable } = duckdbDialect;
const clock = { now: () => now, sleep: () => Promise.resolve() };
const loaderOver = (query: Warehouse["query"], by: Clock = clock) =>
  createNameLoader({ warehouse: { query }, clock: by, dialect: duckdbDialect, lexicon: catalogLexicon() });

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
    }).known(orgOne);
    const fields = rows.map(({ field }) => field);
    const kinds = new Set(fields).size;
    expect(kinds).toBeGreaterThan(6);
    expect(new Set(fields.slice(0, kinds)).size).toBe(kinds);
    const buyers = rows.filter(({ field }) => field === "buyer").map(({ value }) => value);
    // Acme also answers every ping.
    expect(buyers).toEqual(["Acme", "Sunny Group"]);
  });
  it("have no question that was kept: its words ask it still", async () => {
    const own = await openExampleWarehouse();
    onTestFinished(() => own.close());
    const kept = ["saved_question", "approved_question"].map((entity_type) =>
      JSON.stringify(anAuditRecord({ id: entity_type, entity_type, entity_name: "Revenue by campaign last month" })),
    );
    const renamed = JSON.stringify(anAuditRecord({ entity_type: "campaign", entity_name: "Zebra West" }));
    await own.store({ topic: "audit-log", partition: 7, firstOffset: 0, nextOffset: 3, values: [...kept, renamed] });
    const assistant = createAssistant({ warehouse: own, clock });
    const ask = (question: string) => assistant.ask({ orgId: orgOne, timeZone: zone, question });
    expect((await ask("revenue by campaign last month")).plan).toMatchObject({ subject: "calls", filters: [] });
    expect((await ask("changes of Zebra West all time")).plan).toMatchObject({
      subject: "audit_logs",
      filters: [{ field: "entity", values: ["Zebra West"] }],
    });
  });
  it("know when they are not all", async () => {
    expect((await loaderOver(cutTo(5)).known(orgOne)).names.complete).toBe(false);
    expect((await loaderOver(cutTo(500)).known(orgOne)).names.complete).toBe(true);
  });
  it("that were cut are mentioned when a word is not understood, and only then", async () => {
    const assistant = createAssistant({ warehouse: { query: cutTo(5) }, clock });
    const ask = async (question: string) => (await assistant.ask({ orgId: orgOne, timeZone: zone, question })).answer;
    expect(await ask("calls for Zzyzx Holdings")).toMatch(/do not know .* may not know all of them/);
    expect(await ask("how many calls")).not.toMatch(/may not know/);
  });
  it("are read once for questions that come together, and once more whole when these are answered", async () => {
    let queries = 0;
    const { known, readRest } = loaderOver((statement, options) => {
      queries += 1;
      return warehouse.query(statement, options);
    });
    const [one, other] = await Promise.all([known(orgOne), known(orgOne)]);
    expect(queries).toBe(1);
    expect(one.names).toBe(other.names);
    for (let answered = 0; answered < 3; answered += 1) readRest(orgOne);
    expect(queries).toBe(2);
  });
  it("are read again after a failure", async () => {
    let fails = true;
    const { known: load } = loaderOver(async (statement, options) => {
      if (!fails) return warehouse.query(statement, options);
      fails = false;
      throw new Error("no connection");
    });
    await expect(load(orgOne)).rejects.toThrow("no connection");
    expect((await load(orgOne)).names.whole.size).toBeGreaterThan(5);
  });
});

/** A loader whose readings are counted, held back or made to fail, and whose time moves. */
function loaderInTime() {
  const state = { at: now, reads: [] as string[], fails: false, held: undefined as Promise<void> | undefined };
  const { known: load, readRest } = loaderOver(
    async (statement, options) => {
      const isAll = !toReadable(statement).includes("LIMIT");
      state.reads.push(isAll ? "all" : "latest");
      if (state.fails) throw new Error("no connection");
      if (isAll) await state.held;
      return warehouse.query(statement, options);
    },
    { ...clock, now: () => state.at },
  );
  return {
    state,
    load,
    readRest: () => readRest(orgOne),
    /** The readings of a question so much later, once it is answered. */
    async pass(ms: number) {
      state.at += ms;
      state.reads = [];
      const known = await load(orgOne);
      readRest(orgOne);
      return { known, reads: [...state.reads] };
    },
  };
}
const second = 1000;
const minute = 60 * second;

it("a question that is answered leaves the tags of all calls to be read behind it", async () => {
  const running: string[] = [];
  const query: Warehouse["query"] = async (statement, options) => {
    const text = toReadable(statement);
    const what = text.includes("AS uses") ? (text.includes("LIMIT") ? "latest" : "all") : "its own";
    running.push(`${what} begins`);
    const result = await warehouse.query(statement, options);
    running.push(`${what} ends`);
    return result;
  };
  const assistant = createAssistant({ warehouse: { query }, clock });
  await assistant.ask({ orgId: orgOne, timeZone: zone, question: "calls by campaign" });
  expect(running.slice(0, 5)).toEqual(["latest begins", "latest ends", "its own begins", "its own ends", "all begins"]);
});

describe("names as time passes", () => {
  it("answer at once while they are read again, and are waited for after a long pause", async () => {
    const { load, pass } = loaderInTime();
    const first = await load(orgOne);
    const whole = await first.newest?.();
    expect((await pass(55 * second)).reads).toEqual([]);
    const { known, reads } = await pass(6 * second);
    expect(reads).toEqual(["latest"]);
    expect(known.names).toBe(whole);
    await known.newest?.();
    const later = await pass(15 * minute);
    expect(later.reads).toEqual(["latest", "all"]);
    expect(later.known.names).not.toBe(first.names);
  });
  it("at hand answer while they cannot be read, but not for long", async () => {
    const { state, load, pass } = loaderInTime();
    const first = await load(orgOne);
    await first.newest?.();
    state.fails = true;
    expect((await pass(61 * second)).reads).toEqual(["latest"]);
    expect((await pass(second)).reads).toEqual(["latest"]);
    await expect(pass(15 * minute)).rejects.toThrow("no connection");
  });
  it("of all calls' tags are not read while a question has no answer yet, but for one that they may explain", async () => {
    const { state, load, readRest } = loaderInTime();
    const [first] = await Promise.all([load(orgOne), load(orgOne)]);
    expect(state.reads).toEqual(["latest"]);
    expect((await first.newest?.())?.complete).toBe(true);
    readRest();
    expect(state.reads).toEqual(["latest", "all"]);
  });
  it("that are not all there yet say so, until the tags of all calls are read", async () => {
    const { state, load, pass } = loaderInTime();
    let go = () => {};
    state.held = new Promise((resolve) => {
      go = resolve;
    });
    const first = await load(orgOne);
    expect(first.newest).toBeDefined();
    const awaited = first.newest?.();
    go();
    expect((await awaited)?.complete).toBe(true);
    expect((await pass(second)).known.newest).toBeUndefined();
  });
  it("are read again at once for a question that they do not explain, but not for each", async () => {
    const { state, load, pass } = loaderInTime();
    await (await load(orgOne)).newest?.();
    const { known } = await pass(6 * second);
    await known.newest?.();
    expect(state.reads).toEqual(["latest"]);
    expect((await pass(second)).known.newest).toBeUndefined();
  });
  it("of tags too many to be read are not tried again with every question", async () => {
    const { state, load, readRest, pass } = loaderInTime();
    state.held = Promise.reject(new Error("too slow"));
    state.held.catch(() => undefined);
    expect((await load(orgOne)).names.whole.size).toBeGreaterThan(5);
    readRest();
    expect(state.reads).toEqual(["latest", "all"]);
    expect((await pass(second)).reads).toEqual([]);
    expect((await pass(minute)).reads).toEqual(["latest"]);
  });
});
