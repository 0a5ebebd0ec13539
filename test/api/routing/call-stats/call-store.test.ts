import { describe, expect, it } from "vitest";
import type { Holder } from "../../../../api/routing/call-stats.ts";
import type { CallId } from "../../../../ingest/primitives.ts";
import type { Warehouse } from "../../../../warehouse/warehouse.ts";
import { anEvent, anIncoming, orgOne, orgTwo } from "../../../make.ts";
import { calls, completed, createRig, eventually, type Given, many, publish, sums, topic } from "./call-store-rig.ts";

const campaign: Holder = { kind: "campaign", id: "cmp-1" };
const caller = "+12125550123";
const incoming = ({ id = "call-1", org = orgOne }: Given = {}) =>
  anEvent("call.incoming", [anIncoming({ call_id: id as CallId, org_id: org })]);
const times = (count: number) => [count, count, count, count * 300_000, count * 200_000];

describe("the call stats of a process", () => {
  it("know what the warehouse had at the start, and what the log brings later", async () => {
    const { log, load, open } = await createRig();
    await publish(
      log,
      many(20, () => ({})),
    );
    await load();
    const stats = await open();
    expect(sums(stats)).toEqual(times(20));
    await publish(log, [completed({ id: "later" })]);
    await eventually(() => expect(sums(stats)).toEqual(times(21)));
    expect(stats.earlierCalls(orgOne, caller)).toHaveLength(21);
    expect(stats.earlierCalls(orgOne, "anonymous")).toEqual([]);
  });

  it("know at the start what the log had and the warehouse had not stored yet", async () => {
    const { log, load, open } = await createRig();
    await publish(log, [...many(20, () => ({})), incoming({ id: "live" })]);
    await load();
    await publish(log, [completed({ id: "live" }), ...many(30, (index) => ({ id: `late-${index}` }))]);
    expect(sums(await open())).toEqual(times(51));
  });

  it("count once what is stored between the look at the log and the reading of the warehouse", async () => {
    const { log, warehouse, load, open } = await createRig();
    await publish(
      log,
      many(10, () => ({})),
    );
    let isLoaded = false;
    const query: Warehouse["query"] = async (...question) => {
      if (!isLoaded) await load();
      isLoaded = true;
      return warehouse.query(...question);
    };
    expect(sums(await open({ warehouse: { ...warehouse, query } }))).toEqual(times(10));
  });

  it("are the same after a restart at any place of the loader", async () => {
    const { log, load, open } = await createRig();
    const [first, second] = [await open(), await open()];
    for (let part = 0; part < 4; part += 1) {
      await publish(
        log,
        many(7, (index) => ({ id: `call-${part}-${index}` })),
      );
      if (part % 2 === 0) await load();
      const restarted = await open();
      expect(sums(restarted)).toEqual(times(7 * (part + 1)));
    }
    await eventually(() => expect([sums(first), sums(second)]).toEqual([times(28), times(28)]));
  });

  it("keep organizations apart", async () => {
    const { log, load, open } = await createRig();
    await publish(log, [completed(), completed({ id: "other", org: orgTwo }), completed({ id: "more", org: orgTwo })]);
    await load();
    const stats = await open();
    expect([calls(stats), calls(stats, 0, orgTwo)]).toEqual([1, 2]);
    expect(
      stats
        .earlierCalls(orgTwo, caller)
        .map(({ call_id }) => call_id)
        .toSorted(),
    ).toEqual(["more", "other"]);
    expect(stats.earlierCalls("org_none", caller)).toEqual([]);
  });

  it("have what telephony notes before its event comes, and count it once when it has come", async () => {
    const { log, open } = await createRig();
    const stats = await open();
    const { org_id, call_id, started_at, caller_id, campaign_id } = completed();
    const noted = { org_id, call_id, started_at, caller_id, campaign_id };
    stats.note(noted);
    stats.note({ ...noted, target_id: "tgt-1", buyer_id: "buy-1" });
    expect(sums(stats)).toEqual([1, 0, 0, 0, 0]);
    expect(stats.earlierCalls(orgOne, caller)).toMatchObject([{ call_id, status: "incoming", whole_seconds: null }]);
    await publish(log, [incoming(), completed()]);
    await eventually(() => expect(sums(stats)).toEqual(times(1)));
    stats.note(noted);
    expect([sums(stats), sums(stats, campaign)]).toEqual([times(1), times(1)]);
  });

  it("pass over what is no call event, and say so", async () => {
    const { log, open, troubles } = await createRig();
    await log.publish([
      { topic, key: "call-1", value: '{"no":"event"}' },
      { topic, key: "call-1", value: "{" },
    ]);
    await publish(log, [completed()]);
    expect(sums(await open())).toEqual(times(1));
    expect(troubles).toHaveLength(2);
  });

  it("do not open without the warehouse, and end when the log does", async () => {
    const { log, warehouse, open } = await createRig();
    const stats = await open();
    await log.close();
    await stats.finished;
    await stats.close();
    await warehouse.close();
    await expect(open()).rejects.toThrow();
  });
});
