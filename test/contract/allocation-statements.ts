import { expect, it } from "vitest";
import type { Database } from "../../api/database/database.ts";
import { readExhaustions, sweepAllocations } from "../../api/routing/inbound/allocation-rows.ts";
import type { AllocatedRequest } from "../../api/routing/inbound/binding.ts";
import { anAllocatedRequest, aQuote, openAllocations, type Pools } from "../api/routing/inbound/allocator.ts";
import { orgOne, orgTwo } from "../make.ts";

const caller = "+12125550123";
const other = "+12125550999";
const mainNumbers = ["+18005550001", "+18005550002", "+18005550003"];
const pools: Pools = { main: { numbers: mainNumbers, hold_seconds: 0 } };
const numbersOf = (given: readonly { readonly number: string }[]) => given.map(({ number }) => number).sort();

/** What allocations do, on any config database. */
export function describeAllocations(open: () => Promise<Database>): void {
  describePools(open);
  describeReceivers(open);
  describeCalls(open);
  describeProcesses(open);
}

const aRequest = (given: Partial<AllocatedRequest> = {}) => anAllocatedRequest({ caller, ...given });

function describePools(open: () => Promise<Database>): void {
  it("gives each ping numbers of its own, best route first, and what is left when a pool runs out", async () => {
    const { allocate } = openAllocations(await open(), pools);
    const [one, two, three] = await Promise.all([allocate(2), allocate(2), allocate(1)]);
    expect([one, two, three].map(({ length }) => length)).toEqual([2, 1, 0]);
    expect(numbersOf([...one, ...two])).toEqual(mainNumbers);
    expect(one.map(({ place }) => place)).toEqual([0, 1]);
  });

  it("gives a number again when its allocation has ended, not a millisecond earlier", async () => {
    const { allocate, clock } = openAllocations(await open(), pools);
    await allocate(3, { allocationMs: 30_000 });
    clock.advance(29_999);
    expect(await allocate(3)).toEqual([]);
    clock.advance(1);
    expect(await allocate(3)).toHaveLength(3);
  });

  it("gives the number first that was released first, and those first that nobody had yet", async () => {
    const { allocate, clock } = openAllocations(await open(), pools);
    const [late] = await allocate(1, { allocationMs: 20_000 });
    const [early] = await allocate(1, { allocationMs: 10_000 });
    clock.advance(60_000);
    const order = [await allocate(1), await allocate(1), await allocate(1)].map(([given]) => given?.number);
    expect(order.slice(1)).toEqual([early?.number, late?.number]);
  });

  it("lets a released number rest for as long as its pool says", async () => {
    const { allocate, clock } = openAllocations(await open(), {
      main: { numbers: ["+18005550001"], hold_seconds: 60 },
    });
    await allocate(1, { allocationMs: 30_000 });
    clock.advance(89_999);
    expect(await allocate(1)).toEqual([]);
    clock.advance(1);
    expect(await allocate(1)).toHaveLength(1);
  });

  it("takes from the next pool what the first one lacks, each with its own rest", async () => {
    const two: Pools = {
      first: { numbers: ["+18005550001"], hold_seconds: 60 },
      second: { numbers: ["+18005550002"], hold_seconds: 0 },
    };
    const { allocate, clock } = openAllocations(await open(), two);
    expect(numbersOf(await allocate(3, { allocationMs: 10_000 }))).toEqual(["+18005550001", "+18005550002"]);
    clock.advance(10_000);
    expect(numbersOf(await allocate(3))).toEqual(["+18005550002"]);
  });

  it("keeps organizations apart that have the same number", async () => {
    const { allocate } = openAllocations(await open(), pools);
    expect(await allocate(3)).toHaveLength(3);
    expect(await allocate(3, { orgId: orgTwo })).toHaveLength(3);
  });

  it("counts for a day the pings that found a pool empty", async () => {
    const database = await open();
    const { allocate, clock, close } = openAllocations(database, pools);
    await Promise.all([allocate(3), allocate(1), allocate(1)]);
    await allocate(1);
    await close();
    const pool = { orgId: orgOne, poolId: "main" };
    expect(await readExhaustions(database, pool, clock.now())).toBe(3);
    expect(await readExhaustions(database, { ...pool, orgId: orgTwo }, clock.now())).toBe(0);
    clock.advance(24 * 60 * 60 * 1000 + 60_000);
    expect(await readExhaustions(database, pool, clock.now())).toBe(0);
  });
}

function describeReceivers(open: () => Promise<Database>): void {
  const receiver = "+18005550077";

  it("gives one receive number to many callers at once, and to each caller's newest ping", async () => {
    const { receive, take } = openAllocations(await open(), { receiver });
    await receive(aRequest({ request_id: "older" }));
    await Promise.all([
      receive(aRequest({ request_id: "newer" })),
      receive(aRequest({ request_id: "another's", caller: other })),
    ]);
    expect(await take(receiver, caller)).toMatchObject({ kind: "matched", promised: { request_id: "newer" } });
    expect(await take(receiver, other)).toMatchObject({ kind: "matched", promised: { request_id: "another's" } });
    expect(await take(receiver, caller)).toEqual({ kind: "allocation_expired" });
  });

  it("matches nobody else, and nobody who does not say who he is", async () => {
    const { receive, take } = openAllocations(await open(), { receiver });
    await receive(aRequest());
    expect(await take(receiver, other)).toEqual({ kind: "caller_mismatch" });
    expect(await take(receiver, null)).toEqual({ kind: "caller_mismatch" });
    expect(await take(receiver, caller)).toMatchObject({ kind: "matched" });
  });

  it("keeps the last of one caller's pings that come together", async () => {
    const { receive, take } = openAllocations(await open(), { receiver });
    await Promise.all(["1", "2", "3"].map((request_id) => receive(aRequest({ request_id }))));
    expect(await take(receiver, caller)).toMatchObject({ kind: "matched", promised: { request_id: "3" } });
  });
}

function describeCalls(open: () => Promise<Database>): void {
  const [first] = mainNumbers;
  const number = String(first);
  const single: Pools = { main: { numbers: [number], hold_seconds: 60 } };

  it("gives a call what its number was promised for, once, and lets the number rest from then on", async () => {
    const { allocate, take, clock } = openAllocations(await open(), single);
    await allocate(1, { allocationMs: 30_000 });
    clock.advance(5_000);
    const taken = await Promise.all([take(number, caller), take(number, caller)]);
    expect(taken.map(({ kind }) => kind).sort()).toEqual(["allocation_expired", "matched"]);
    clock.advance(59_999);
    expect(await allocate(1)).toEqual([]);
    clock.advance(1);
    expect(await allocate(1)).toHaveLength(1);
  });

  it("shows what a call would take, and leaves it for the call", async () => {
    const { allocate, take, peek, clock } = openAllocations(await open(), pools);
    const [given] = await allocate(1, { ...aRequest(), allocationMs: 30_000 });
    const number = String(given?.number);
    expect(await peek(number, other)).toEqual({ kind: "caller_mismatch" });
    expect(await peek("+18005550999", caller)).toEqual({ kind: "none" });
    clock.advance(29_999);
    const seen = [await peek(number, caller), await peek(number, caller)];
    const taken = await take(number, caller);
    expect(taken.kind).toBe("matched");
    expect(seen).toEqual([taken, taken]);
    expect(await peek(number, caller)).toEqual({ kind: "allocation_expired" });
  });

  it("gives what a refused call has taken to the caller's next one, for as long as it was promised", async () => {
    const { allocate, take, giveBack, clock } = openAllocations(await open(), single);
    await allocate(1, { allocationMs: 30_000 });
    expect((await take(number, caller, "refused")).kind).toBe("matched");
    await giveBack(number, "another");
    expect((await take(number, caller, "next")).kind).toBe("allocation_expired");
    await giveBack(number, "refused");
    clock.advance(29_999);
    expect(await allocate(1)).toEqual([]);
    expect((await take(number, other, "theirs")).kind).toBe("caller_mismatch");
    expect((await take(number, caller, "next")).kind).toBe("matched");
    clock.advance(1);
    await giveBack(number, "next");
    expect((await take(number, caller, "late")).kind).toBe("allocation_expired");
  });

  it("gives a call that is told twice the same again", async () => {
    const { allocate, take, clock } = openAllocations(await open(), single);
    await allocate(1, { allocationMs: 30_000 });
    const first = await take(number, caller, "call");
    clock.advance(40_000);
    expect(await take(number, caller, "call")).toEqual(first);
    expect(await take(number, caller, "another")).toEqual({ kind: "allocation_expired" });
    clock.advance(20_000);
    expect(await allocate(1)).toHaveLength(1);
  });

  it("expires at the end of its time to the millisecond, for the right caller too", async () => {
    const { allocate, take, clock } = openAllocations(await open(), single);
    await allocate(1, { allocationMs: 30_000 });
    clock.advance(29_999);
    expect(await take(number, other)).toEqual({ kind: "caller_mismatch" });
    clock.advance(1);
    expect(await take(number, other)).toEqual({ kind: "allocation_expired" });
    expect(await take(number, caller)).toEqual({ kind: "allocation_expired" });
  });

  it("matches at the last millisecond", async () => {
    const { allocate, take, clock } = openAllocations(await open(), single);
    await allocate(1, { allocationMs: 30_000 });
    clock.advance(29_999);
    expect(await take(number, caller)).toMatchObject({ kind: "matched" });
  });

  it("matches anybody, and somebody unknown, where the ping named no caller", async () => {
    const { allocate, take } = openAllocations(await open(), pools);
    const given = await allocate(2, { caller: null });
    const [one, two] = numbersOf(given);
    expect(await take(String(one), null)).toMatchObject({ kind: "matched" });
    expect(await take(String(two), other)).toMatchObject({ kind: "matched" });
  });

  it("says nothing of a number that pings are not given", async () => {
    const { take } = openAllocations(await open(), pools);
    expect(await take("+18005550999", caller)).toEqual({ kind: "none" });
  });

  it("brings the number's own route first, then the others that earn what was promised", async () => {
    const { allocate, take } = openAllocations(await open(), pools);
    const quotes = [aQuote("a", 30, 24), aQuote("b", 20, 16), aQuote("c", 16, 12.8)];
    const given = await allocate(3, { quotes });
    const [one, two, three] = given.map((each) => each.number);
    const tellsOf = async (called: string | undefined) => {
      const taken = await take(String(called), caller);
      if (taken.kind !== "matched") throw new Error(taken.kind);
      return taken.promised.quotes.map(({ id, publisher_terms }) => [id, publisher_terms?.payout]);
    };
    expect(await tellsOf(one)).toEqual([["a", 24]]);
    const byTwo = [
      ["b", 16],
      ["a", 16],
      ["c", 16],
    ];
    expect(await tellsOf(two)).toEqual(byTwo);
    expect(await tellsOf(three)).toEqual([
      ["c", 12.8],
      ["a", 12.8],
      ["b", 12.8],
    ]);
  });

  it("takes a call whose promise cannot be read for one that none stands for, and says so", async () => {
    const database = await open();
    const { allocate, take, troubles } = openAllocations(database, single);
    await allocate(1, { caller });
    await database.query(`UPDATE allocated_requests SET doc = '{"quotes":"none"}'`);
    expect(await take(number, caller)).toEqual({ kind: "allocation_expired" });
    expect(troubles.map(String)).toEqual([expect.stringMatching(/^UnreadableError: allocated_requests request-/)]);
  });

  it("forgets what no call can come for, and remembers whose turn it is", async () => {
    const database = await open();
    const { allocate, clock } = openAllocations(database, single);
    await allocate(1, { allocationMs: 30_000 });
    clock.advance(120_000);
    await sweepAllocations(database, clock.now());
    expect(await database.query("SELECT request_id FROM allocated_requests")).toEqual([]);
    expect(await database.query("SELECT number FROM number_allocations")).toEqual([{ number }]);
  });
}

function describeProcesses(open: () => Promise<Database>): void {
  it("gives no number twice to pings of two processes, and finds what the other one has released", async () => {
    const database = await open();
    const many: Pools = {
      main: { numbers: Array.from({ length: 20 }, (_, index) => `+180055501${index + 10}`), hold_seconds: 0 },
    };
    const one = openAllocations(database, many);
    const two = openAllocations(database, many, one.clock);
    await Promise.all([one.allocate(1), two.allocate(1)]);
    const given = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? one : two).allocate(1)),
    );
    expect(new Set(given.flat().map(({ number }) => number)).size).toBe(18);
    expect(given.flat()).toHaveLength(18);
    const [taken] = given.flat();
    expect(await one.take(String(taken?.number), caller)).toMatchObject({ kind: "matched" });
    one.clock.advance(1000);
    expect(numbersOf(await two.allocate(1))).toEqual([taken?.number]);
  });

  it("finds after a restart what was allocated before", async () => {
    const database = await open();
    const before = openAllocations(database, pools);
    const given = await before.allocate(2);
    const after = openAllocations(database, pools, before.clock);
    expect(await after.allocate(3)).toHaveLength(1);
    expect(await after.take(String(given[0]?.number), caller)).toMatchObject({ kind: "matched" });
  });
}
