import { afterEach, describe, expect, it } from "vitest";
import { openReceiver, type Receiver, reactionTo } from "../../../api/demo/receiver.ts";
import type { Clock } from "../../../ingest/clock.ts";

let receiver: Receiver | undefined;
afterEach(() => receiver?.close());

const waits: number[] = [];
const clock: Clock = {
  now: () => 0,
  async sleep(ms) {
    waits.push(ms);
  },
};

const post = (url: string, body: string) => fetch(url, { method: "POST", body });

describe("the demo's receiver", () => {
  it("takes most requests, refuses a few, is slow to a few, and counts all", async () => {
    receiver = await openReceiver({ port: 0, clock });
    const url = `${receiver.url}/crm/calls?call=1`;
    const answers = await Promise.all(Array.from({ length: 400 }, (_, index) => post(url, `{"n":${index}}`)));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect(count(200)).toBeGreaterThan(360);
    expect(count(500)).toBeGreaterThan(0);
    expect(count(429)).toBeGreaterThan(0);
    expect(count(200) + count(500) + count(429)).toBe(400);
    expect(answers.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("5");
    expect(new Set(waits)).toEqual(new Set([3000]));
    expect(receiver.received()).toBe(400);
  });

  it("answers the same request alike in every run, and mostly takes it when it is tried again", () => {
    const refused = Array.from({ length: 2000 }, (_, content) => content).filter(
      (content) => reactionTo(content, 1).status !== 200,
    );
    expect(refused.length).toBeGreaterThan(20);
    for (const content of refused) expect(reactionTo(content, 1)).toEqual(reactionTo(content, 1));
    expect(refused.filter((content) => reactionTo(content, 2).status === 200).length / refused.length).toBeGreaterThan(
      0.8,
    );
  });

  it("closes twice without harm", async () => {
    receiver = await openReceiver({ port: 0, clock });
    await receiver.close();
    await receiver.close();
  });
});
