import { describe, expect, it } from "vitest";
import { type DeadLetter, deadLetterSchema } from "../../ingest/dead-letter.ts";
import { type ImportOptions, type ImportProgress, importSignals } from "../../ingest/import.ts";
import type { NewMessage } from "../../ingest/log/log.ts";
import { parseSignal, type Signal, signalSchema } from "../../ingest/signal.ts";
import { aDialing, anAnswered, anIncoming, aRecorded, secondsIn, signalsOfCall, startOfTime } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";

/** What the import of these lines publishes, batch by batch, and what it tells. */
async function importLines(lines: readonly (Signal | string)[], options: Partial<ImportOptions> = {}) {
  const batches: (readonly NewMessage[])[] = [];
  const refused: { number: number; error: string }[] = [];
  const reports: ImportProgress[] = [];
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  async function* input() {
    yield Buffer.from(text);
  }
  const result = await importSignals({
    log: {
      async publish(messages) {
        batches.push(messages);
        return [];
      },
    },
    clock: createManualClock(startOfTime),
    source: "calls.ndjson",
    input: input(),
    onRefused: (line) => refused.push(line),
    onProgress: (now) => reports.push(now),
    ...options,
  });
  const published = batches.flat();
  const valuesOf = (topic: string) =>
    published.filter((each) => each.topic === topic).map(({ value }) => JSON.parse(value));
  const signals: Signal[] = valuesOf("call-signals");
  const letters: DeadLetter[] = valuesOf("dead-letters").map((letter) => deadLetterSchema.parse(letter));
  return { result, batches, published, signals, letters, refused, reports, bytes: Buffer.byteLength(text) };
}

const told = [anIncoming({ webhook_ids: ["campaign-hook"] }), aDialing({ webhook_ids: ["target-hook"] }), anAnswered()];
const webhooksOf = (signals: readonly Signal[]) =>
  signals.map((signal) => ("webhook_ids" in signal ? signal.webhook_ids : "none to tell"));

describe("an import of signals", () => {
  it("publishes each line as its signal, in order, keyed by its call", async () => {
    const signals = signalsOfCall(16);
    const { published, result, letters, bytes } = await importLines(signals);
    expect(published.map(({ topic, key }) => [topic, key])).toEqual(signals.map(() => ["call-signals", "call-1"]));
    expect(published.map(({ value }) => signalSchema.parse(JSON.parse(value)))).toEqual(signals);
    expect([result, letters]).toEqual([{ published: 4, refused: 0, bytesRead: bytes }, []]);
  });

  it("makes a dead letter of a line that is no signal, with its number, and goes on", async () => {
    const broken = "{broken";
    const stranger = '{"kind":"incoming","at":"yesterday"}';
    const { letters, refused, result, signals } = await importLines([anIncoming(), broken, "", stranger, anAnswered()]);
    expect(signals.map(({ kind }) => kind)).toEqual(["incoming", "answered"]);
    expect(letters).toMatchObject([
      { id: "calls.ndjson:2", source: "calls.ndjson", position: 2, reason: "invalid_json", raw: broken },
      { id: "calls.ndjson:4", source: "calls.ndjson", position: 4, reason: "invalid_signal", raw: stranger },
    ]);
    expect(letters[0]?.at).toBe(secondsIn(0));
    expect(refused.map(({ number }) => number)).toEqual([2, 4]);
    for (const field of ["org_id", "call_id", "at", "from", "to"]) expect(refused[1]?.error).toContain(`${field}:`);
    expect(result).toMatchObject({ published: 2, refused: 2 });
  });

  it("refuses the address of a recording that is no http address, though such signals on record are read", async () => {
    const lines = [aRecorded(), aRecorded({ recording_url: "javascript:alert(1)" })];
    const { signals, refused } = await importLines(lines);
    expect(signals).toEqual([lines[0]]);
    expect(refused).toEqual([{ number: 2, error: "recording_url: must be an http or https address" }]);
    expect(parseSignal(JSON.stringify(lines[1])).ok).toBe(true);
  });

  it("tells no webhook unless it is asked to", async () => {
    expect(webhooksOf((await importLines(told)).signals)).toEqual([[], [], "none to tell"]);
    expect(webhooksOf((await importLines(told, { fireWebhooks: false })).signals)).toEqual([[], [], "none to tell"]);
    expect(webhooksOf((await importLines(told, { fireWebhooks: true })).signals)).toEqual([
      ["campaign-hook"],
      ["target-hook"],
      "none to tell",
    ]);
  });

  it("does not count blank lines, and takes the carriage returns and the mark of other systems", async () => {
    const line = JSON.stringify(anIncoming());
    const { result } = await importLines([`\ufeff${line}\r`, "\r", "   ", `${line}\r`, ""]);
    expect(result).toMatchObject({ published: 2, refused: 0 });
  });

  it("adds up: lines are published or refused, at every report", async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => (index % 10 === 3 ? "{" : anAnswered()));
    const { result, reports, bytes, batches } = await importLines(lines);
    expect(result).toEqual({ published: 2250, refused: 250, bytesRead: bytes });
    let sent = 0;
    for (const [index, { published, refused }] of reports.entries()) {
      sent += batches[index]?.length ?? 0;
      expect(published + refused).toBe(sent);
    }
    expect(reports.at(-1)).toEqual(result);
  });

  it("publishes many large lines in several goes, none larger than a log takes", async () => {
    const tags = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`tag_${index}`, "x".repeat(1024)]));
    const { batches, result } = await importLines(Array.from({ length: 200 }, () => anIncoming({ tags })));
    expect(result.published).toBe(200);
    for (const batch of batches) {
      expect(batch.reduce((sum, { value }) => sum + value.length, 0)).toBeLessThan(8 * 1024 * 1024);
    }
  });

  it("refuses a line that is too long, and keeps no more of a refused one than a log takes", async () => {
    const { letters } = await importLines(["x".repeat(300 * 1024), "\u0001".repeat(250 * 1024)]);
    expect(letters).toMatchObject([
      { position: 1, raw: "" },
      { position: 2, reason: "invalid_json" },
    ]);
    expect(letters[0]?.error).toContain("longer than 262144 bytes");
    for (const letter of letters) expect(JSON.stringify(letter).length).toBeLessThan(1024 * 1024);
  });

  it("of nothing publishes nothing", async () => {
    const { batches, result } = await importLines([]);
    expect([batches, result]).toEqual([[], { published: 0, refused: 0, bytesRead: 0 }]);
  });

  it("whose log refuses ends with the log's error, and reports nothing as published", async () => {
    const reports: ImportProgress[] = [];
    const publish = () => Promise.reject(new Error("log full"));
    await expect(
      importLines([anIncoming()], { log: { publish }, onProgress: (now) => reports.push(now) }),
    ).rejects.toThrow("log full");
    expect(reports).toEqual([]);
  });
});
