import { describe, expect, it, onTestFinished } from "vitest";
import { toDeadLetter } from "../../ingest/dead-letter.ts";
import type { EventLog, Topic } from "../../ingest/log/log.ts";
import { openLmdbLog } from "../../ingest/log/log-lmdb.ts";
import { createLetterBox, type HeldLetter, toRedrivenMessage } from "../../ingest/redrive.ts";
import { startOfTime } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";
import { temporaryFolder } from "../temporary.ts";

const clock = createManualClock(startOfTime);
const raw = '{"id":"out-1","call_id":"call-1"}';
const fault = { now: startOfTime, reason: "refused_by_store", error: "no such column" } as const;
const placeOf = (position: number) => ({ source: "webhook-deliveries", partition: 0, position, key: "call-1" });
const letterAt = (position: number, text = raw) => toDeadLetter(placeOf(position), text, fault);

async function openRig(change: (log: EventLog) => EventLog = (log) => log) {
  const log = await openLmdbLog({ dir: temporaryFolder(), clock });
  onTestFinished(() => log.close());
  const boxOf = (run: string, used = change(log)) => createLetterBox({ log: used, clock, run });
  const read = async (topic: Topic) => {
    const found = [];
    for await (const { key, value } of log.read({ topic, partition: 0, offset: 0 })) found.push({ key, value });
    return found;
  };
  const held = async (run = "reader"): Promise<HeldLetter[]> => {
    const found = [];
    for await (const each of boxOf(run, log).letters()) found.push(each);
    return found;
  };
  const letter = async () => {
    const [first] = await held();
    if (first === undefined) throw new Error("no letter");
    return first.letter;
  };
  return { log, boxOf, read, held, letter };
}

describe("the letters that a log has", () => {
  it("are each told once, in the order in which they came, with what became of them", async () => {
    const rig = await openRig();
    await rig.log.publish([letterAt(3), letterAt(4), letterAt(3), letterAt(9)]);
    await rig.boxOf("a").redrive((await rig.held())[1]?.letter ?? (await rig.letter()));
    const found = await rig.held();
    expect(found.map(({ letter, redriven }) => [letter.position, redriven?.state])).toEqual([
      [3, undefined],
      [4, "done"],
      [9, undefined],
    ]);
  });
});

describe("a letter that is redriven", () => {
  it("has its message in its topic again, with its key and as it was", async () => {
    const rig = await openRig();
    await rig.log.publish([letterAt(3)]);
    const position = { topic: "webhook-deliveries", partition: 0, offset: 0 };
    expect(await rig.boxOf("a").redrive(await rig.letter())).toEqual({ kind: "redriven", position });
    expect(await rig.read("webhook-deliveries")).toEqual([{ key: "call-1", value: raw }]);
  });

  it("is not redriven again, unless it is asked for", async () => {
    const rig = await openRig();
    await rig.log.publish([letterAt(3)]);
    const letter = await rig.letter();
    await rig.boxOf("a").redrive(letter);
    const marked = { kind: "marked", redriven: { state: "done", run: "a", attempt: 1 } };
    expect(await rig.boxOf("b").redrive(letter)).toMatchObject(marked);
    expect(await rig.boxOf("c").redrive(letter, { again: true })).toMatchObject({ kind: "redriven" });
    expect((await rig.held())[0]?.redriven).toMatchObject({ state: "done", run: "c", attempt: 2 });
    expect(await rig.read("webhook-deliveries")).toHaveLength(2);
  });

  it("is redriven once by many at the same time", async () => {
    const rig = await openRig();
    await rig.log.publish([letterAt(3)]);
    const letter = await rig.letter();
    const outcomes = await Promise.all([..."abcdefgh"].map((run) => rig.boxOf(run).redrive(letter)));
    expect(outcomes.filter(({ kind }) => kind === "redriven")).toHaveLength(1);
    expect(await rig.read("webhook-deliveries")).toHaveLength(1);
  });

  it("is known to be begun where whoever did it was stopped before the end", async () => {
    const rig = await openRig((log) => ({
      ...log,
      publish: (messages) =>
        messages.some(({ topic }) => topic === "webhook-deliveries")
          ? Promise.reject(new Error("stopped"))
          : log.publish(messages),
    }));
    await rig.log.publish([letterAt(3)]);
    const letter = await rig.letter();
    await expect(rig.boxOf("a").redrive(letter)).rejects.toThrow("stopped");
    expect(await rig.boxOf("b", rig.log).redrive(letter)).toMatchObject({
      kind: "marked",
      redriven: { state: "begun" },
    });
    expect(await rig.boxOf("b", rig.log).redrive(letter, { again: true })).toMatchObject({ kind: "redriven" });
  });
});

describe("a letter that cannot be redriven", () => {
  const made = (place: Parameters<typeof toDeadLetter>[0], text: string, reason: "invalid_json" | "refused_by_store") =>
    toRedrivenMessage(JSON.parse(toDeadLetter(place, text, { ...fault, reason }).value));

  it.each([
    ["was a line of a file", made({ source: "march.ndjson", position: 4 }, raw, "refused_by_store"), /line 4 of march/],
    ["was too long to be kept", made(placeOf(1), `{"a":"${"x".repeat(70_000)}"}`, "refused_by_store"), /too long/],
    ["was no JSON", made(placeOf(1), "{broken", "invalid_json"), /no JSON/],
    [
      "has no key",
      made({ ...placeOf(1), key: undefined as never }, "[]", "refused_by_store"),
      /neither a call id nor an id/,
    ],
  ])("%s", (_what, outcome, why) => {
    expect(outcome).toEqual({ ok: false, why: expect.stringMatching(why) });
  });

  it("leaves no mark", async () => {
    const rig = await openRig();
    await rig.log.publish([letterAt(3, "{broken")]);
    expect(await rig.boxOf("a").redrive(await rig.letter())).toMatchObject({ kind: "impossible" });
    expect((await rig.held())[0]?.redriven).toBeNull();
  });
});

describe("a letter of an earlier version", () => {
  it.each([
    ['{"call_id":"call-7","id":"e"}', "call-7"],
    ['{"id":"row-7"}', "row-7"],
  ])("without a key goes by what it is about: %s", (text, key) => {
    const { key: _, ...old } = JSON.parse(letterAt(3, text).value);
    expect(toRedrivenMessage({ ...old, key: null })).toMatchObject({ ok: true, message: { key } });
  });
});
