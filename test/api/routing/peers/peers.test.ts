import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { maxBroadcastBytes } from "../../../../api/database/database.ts";
import { maxPending, openPeers } from "./open-peers.ts";

type Process = ReturnType<typeof openPeers>["processes"][number];

/** Joins a topic of texts; `received` fills with what comes, `send` sends. */
function joined({ peers }: Process, name = "texts") {
  const received: string[] = [];
  const held = new Map<string, string>();
  const publish = peers.join({
    name,
    schema: z.string(),
    receive: (value) => void received.push(value),
    current: () => held,
  });
  return {
    received,
    send(key: string, value = key): void {
      held.set(key, value);
      publish(key, value);
    },
  };
}

function openTwo() {
  const rig = openPeers(2);
  const [first, second] = rig.processes;
  if (first === undefined || second === undefined) throw new Error("two processes were asked for");
  return { ...rig, first, second, one: joined(first), two: joined(second) };
}

describe("a value", () => {
  it("is received once by the other process, in the order of sending, and not by its sender", async () => {
    const { one, two, exchange, troubles } = openTwo();
    await exchange();
    for (const key of ["b", "a"]) one.send(key);
    await exchange();
    one.send("c");
    await exchange();
    expect([one.received, two.received, troubles]).toEqual([[], ["b", "a", "c"], []]);
  });

  it("replaces one of the same key that waits, and none of another key or topic", async () => {
    const { first, second, one, two, exchange } = openTwo();
    const [other, received] = [joined(first, "others"), joined(second, "others").received];
    await exchange();
    other.send("1", "other");
    one.send("1", "first");
    one.send("2");
    one.send("1", "newest");
    await exchange();
    expect([two.received, received]).toEqual([["newest", "2"], ["other"]]);
  });

  it("is known to a process that starts later, if its topic has it to tell", async () => {
    const { one, openProcess, exchange } = openTwo();
    one.send("known");
    await exchange();
    const third = openProcess();
    const late = joined(third);
    await third.round();
    await exchange();
    expect(late.received).toEqual(["known"]);
  });

  it("comes with thousands of others, and each of them once", async () => {
    const { one, two, exchange } = openTwo();
    await exchange();
    const values = Array.from({ length: 1500 }, (_, index) => String(index));
    for (const value of values) one.send(value);
    await exchange();
    expect(two.received).toEqual(values);
  });

  it("that cannot be read, as of another version, keeps nobody from the next", async () => {
    const { first, one, two, exchange, troubles } = openTwo();
    await exchange();
    first.peers.join({ name: "texts", schema: z.number(), receive: () => undefined })("bad", 7);
    one.send("good");
    await exchange();
    expect(two.received).toEqual(["good"]);
    expect(troubles.map(String)).toEqual([expect.stringContaining("peer_state texts cannot be read")]);
  });

  it("that is too large for a message is left out, and costs none of those that are sent with it", async () => {
    const { one, two, sent, exchange } = openTwo();
    await exchange();
    for (let index = 0; index < 30; index += 1) one.send(`${index}`, randomBytes(700).toString("base64"));
    one.send("large", randomBytes(maxBroadcastBytes).toString("base64"));
    one.send("long", "x".repeat(100_000));
    await exchange();
    expect(two.received).toHaveLength(31);
    expect(two.received.at(-1)).toHaveLength(100_000);
    expect(sent.every((message) => message.length <= maxBroadcastBytes)).toBe(true);
  });

  it("of a process that stops is sent before it is gone", async () => {
    const { first, one, two } = openTwo();
    one.send("last");
    await first.close();
    expect(two.received).toEqual(["last"]);
  });
});

it("a message that is none of ours is told of, and nothing else happens", () => {
  const { receive, troubles } = openTwo();
  receive("no message");
  expect(troubles).toHaveLength(2);
});

describe("other processes", () => {
  it("are counted while they are heard from every few seconds, though they have nothing to send", async () => {
    const { first, second, clock, exchange } = openTwo();
    await exchange();
    for (let seconds = 0; seconds < 60; seconds += 5) {
      clock.advance(5000);
      await exchange();
    }
    expect([first.peers.count(), second.peers.count()]).toEqual([1, 1]);
    clock.advance(29_999);
    expect(first.peers.count()).toBe(1);
    clock.advance(1);
    expect(first.peers.count()).toBe(0);
  });

  it("are sent nothing while there is nothing to send but that a process runs", async () => {
    const { sent, clock, exchange } = openTwo();
    await exchange();
    const before = sent.length;
    for (let rounds = 0; rounds < 45; rounds += 1) {
      clock.advance(200);
      await exchange();
    }
    expect(sent.length).toBe(before);
  });
});

describe("while the database is away", () => {
  it("the newest of each key waits, trouble is told once, and what was known is sent again", async () => {
    const { one, two, exchange, exchanges, setAway, troubles } = openTwo();
    await exchange();
    one.send("before");
    await exchange();
    setAway(true);
    one.send("1", "old");
    await exchange();
    one.send("1", "new");
    await exchange();
    expect([two.received.length, troubles.length, exchanges()]).toEqual([1, 2, 8]);
    setAway(false);
    await exchange();
    expect(new Set(two.received)).toEqual(new Set(["before", "new"]));
  });

  it("only so much waits: the oldest is given up first", async () => {
    const { first, one, two, exchange } = openTwo();
    await exchange();
    const publish = first.peers.join({ name: "texts", schema: z.string(), receive: () => undefined });
    for (let index = 0; index < maxPending + 2; index += 1) publish(String(index), String(index));
    await exchange();
    expect([two.received.length, two.received[0], one.received]).toEqual([maxPending, "2", []]);
  });
});
