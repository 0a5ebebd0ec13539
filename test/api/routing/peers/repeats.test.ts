import { describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../../../api/database/database.ts";
import { openSqliteDatabase } from "../../../../api/database/database-sqlite.ts";
import type { Peers } from "../../../../api/routing/peers/peers.ts";
import { openPings } from "../inbound/pings.ts";
import { openPeers } from "./open-peers.ts";

const caller_id = "+12125550123";

/** Two processes that are pinged, on one database; `toPeers` changes what the first sends. */
async function open(toPeers: (value: unknown) => unknown = (value) => value) {
  const rig = openPeers(2);
  const database: Database = await openSqliteDatabase({ path: ":memory:" });
  onTestFinished(() => database.close());
  const openOne = (index: number, changed: (value: unknown) => unknown) => {
    const process = rig.processes[index];
    if (process === undefined) throw new Error("two processes were asked for");
    const join: Peers["join"] = (topic) => {
      const publish = process.peers.join(topic);
      return (key, value) => publish(key, changed(value) as typeof value);
    };
    return openPings({ shared: { database, clock: rig.clock }, deps: { peers: { ...process.peers, join } } });
  };
  return { ...rig, one: await openOne(0, toPeers), two: await openOne(1, (value) => value) };
}

describe("a repeat that comes to another process", () => {
  it("is given the answer that stands, with its numbers, until the allocation ends", async () => {
    const { one, two, exchange, clock } = await open();
    const first = await one.ping({ caller_id, zip: "10001" });
    await exchange();
    clock.advance(29_999);
    expect(await two.ping({ zipcode: "10001", CID: "2125550123" })).toEqual({ ...first, cached: true });
    clock.advance(1);
    const anew = await two.ping({ caller_id, zip: "10001" });
    expect([anew.cached, anew.request_id === first.request_id]).toEqual([undefined, false]);
  });

  it("is recorded by a name of its own, so that no process's records hide another's", async () => {
    const { one, two, exchange } = await open();
    const { request_id } = await one.ping();
    await exchange();
    for (const process of [one, two, two]) await process.ping();
    const ids = [...(await one.records()), ...(await two.records())].map((record) => record.request_id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => id.startsWith(request_id))).toBe(true);
  });

  it("is a ping of its own while that one has not heard of the first, and asks something else, or nothing stands", async () => {
    const { one, two, exchange } = await open();
    const first = await one.ping();
    const unheard = await two.ping();
    expect(unheard.request_id).not.toBe(first.request_id);
    await exchange();
    expect((await two.ping({ caller_id, zip: "10001" })).cached).toBeUndefined();
    expect((await two.ping({ caller_id: "+12125550999" })).cached).toBeUndefined();
    // Each goes on with its own.
    expect([(await one.ping()).request_id, (await two.ping()).request_id]).toEqual([
      first.request_id,
      unheard.request_id,
    ]);
  });

  it("is judged anew once a call has come for the answer, in whichever process", async () => {
    const { one, two, exchange } = await open();
    const first = await one.ping();
    await exchange();
    expect(await two.take(first.eligible_routes[0]?.number ?? "")).toMatchObject({ kind: "matched" });
    expect((await two.ping()).request_id).not.toBe(first.request_id);
    await exchange();
    expect((await one.ping()).request_id).not.toBe(first.request_id);
  });

  it("is judged anew where what was sent of the first cannot be read", async () => {
    const { one, two, exchange } = await open(() => ({}));
    const first = await one.ping();
    await exchange();
    const { request_id, cached } = await two.ping();
    expect([request_id === first.request_id, cached]).toEqual([false, undefined]);
  });

  it("is judged anew while the database is away, and nobody waits for it", async () => {
    const { one, two, exchange, setAway } = await open();
    setAway(true);
    const first = await one.ping();
    await exchange();
    expect((await two.ping()).request_id).not.toBe(first.request_id);
    expect(await one.ping()).toEqual({ ...first, cached: true });
  });
});
