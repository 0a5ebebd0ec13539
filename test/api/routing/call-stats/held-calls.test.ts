import { expect, it, onTestFinished, vi } from "vitest";
import type { Queryable } from "../../../../api/database/database.ts";
import { openSqliteDatabase } from "../../../../api/database/database-sqlite.ts";
import { type HeldCalls, openHeldCalls } from "../../../../api/routing/call-stats/held-calls.ts";
import { release, reserve } from "../../../../api/routing/call-stats/reservations.ts";
import type { Holder } from "../../../../api/routing/call-stats.ts";
import { orgOne, orgTwo, startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";

/** Ample, for a machine that does other work meanwhile. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000 });

const target: Holder = { kind: "target", id: "t" };
const buyer: Holder = { kind: "buyer", id: "b" };
const call = (callId: string, orgId = orgOne) => ({ orgId, callId, now: startOfTime });
const unlimited = (holders: readonly Holder[]) => holders.map((holder) => ({ ...holder, limit: null }));

/** A reading that a test lets through when it wants to. */
function createGate() {
  let isClosed = false;
  let open = (): void => undefined;
  let opened: Promise<void> = Promise.resolve();
  return {
    shut() {
      isClosed = true;
      opened = new Promise((resolve) => {
        open = resolve;
      });
    },
    open: () => open(),
    pass: () => (isClosed ? opened : Promise.resolve()),
  };
}

async function createRig() {
  const database = await openSqliteDatabase({ path: ":memory:" });
  onTestFinished(() => database.close());
  const clock = createManualClock(startOfTime);
  const gate = createGate();
  const troubles: unknown[] = [];
  let failure: Error | null = null;
  const watched: Queryable = {
    async query(sql, params) {
      if (failure !== null) throw failure;
      const rows = await database.query(sql, params);
      await gate.pass();
      return rows;
    },
  };
  const open = async (): Promise<HeldCalls> => {
    const held = await openHeldCalls({ database: watched, clock, onTrouble: (error) => troubles.push(error) });
    onTestFinished(async () => {
      gate.open();
      await held.close();
    });
    return held;
  };
  const fail = (error: Error | null) => {
    failure = error;
  };
  return { database, clock, gate, troubles, open, fail };
}

const use = (held: HeldCalls) => [held.inUse(orgOne, target), held.inUse(orgOne, buyer)];

it("counts what calls hold from the start on, by organization", async () => {
  const { database, open } = await createRig();
  await reserve(database, call("one"), unlimited([target, buyer]));
  await reserve(database, call("two"), unlimited([target]));
  await reserve(database, call("other", orgTwo), unlimited([target]));
  const held = await open();
  expect([use(held), held.inUse(orgTwo, target), held.inUse(orgTwo, buyer)]).toEqual([[2, 1], 1, 0]);
});

it("knows this process's calls at once, each of them once, and as often as they move", async () => {
  const { open } = await createRig();
  const held = await open();
  for (let round = 0; round < 2; round += 1) held.reserved(call("one"), [target, buyer]);
  expect(use(held)).toEqual([1, 1]);
  held.reserved(call("one"), [buyer]);
  expect(use(held)).toEqual([0, 1]);
  for (let round = 0; round < 2; round += 1) held.released("one");
  expect(use(held)).toEqual([0, 0]);
});

it("knows other processes' calls a second later, and the end of those that it has told of itself", async () => {
  const { database, clock, open } = await createRig();
  const held = await open();
  await reserve(database, call("own"), unlimited([target]));
  held.reserved(call("own"), [target]);
  await reserve(database, call("theirs"), unlimited([target, buyer]));
  expect(use(held)).toEqual([1, 0]);
  clock.advance(1000);
  await eventually(() => expect(use(held)).toEqual([2, 1]));
  await release(database, "own");
  await eventually(() => expect(clock.sleepers()).toBe(1));
  clock.advance(1000);
  await eventually(() => expect(use(held)).toEqual([1, 1]));
});

it("is not set back by a reading that began before a call was told of", async () => {
  const { database, gate, open } = await createRig();
  const held = await open();
  await reserve(database, call("ending"), unlimited([target]));
  await held.refresh();
  gate.shut();
  const refreshed = held.refresh();
  held.reserved(call("beginning"), [target, buyer]);
  held.released("ending");
  expect(use(held)).toEqual([1, 1]);
  gate.open();
  await refreshed;
  expect(use(held)).toEqual([1, 1]);
});

it("goes on with what it knows while the database is away, and says so", async () => {
  const { database, clock, troubles, open, fail } = await createRig();
  const held = await open();
  held.reserved(call("one"), [target]);
  await reserve(database, call("one"), unlimited([target]));
  fail(new Error("the server is away"));
  clock.advance(1000);
  await eventually(() => expect(troubles).toHaveLength(1));
  expect(use(held)).toEqual([1, 0]);
  fail(null);
  await reserve(database, call("two"), unlimited([target]));
  await eventually(() => expect(clock.sleepers()).toBe(1));
  clock.advance(1000);
  await eventually(() => expect(use(held)).toEqual([2, 0]));
});
