import { describe, expect, it } from "vitest";
import { deadLetterSchema, isWhole, toDeadLetter } from "../../ingest/dead-letter.ts";
import { parseSignal } from "../../ingest/signal.ts";
import { anIncoming, secondsIn, startOfTime } from "../make.ts";

const place = { source: "call-signals", partition: 2, position: 7, key: "call-1" };
const letterOf = (raw: string, error = "no such thing") => {
  const message = toDeadLetter(place, raw, { now: startOfTime, reason: "invalid_signal", error });
  return { message, letter: deadLetterSchema.parse(JSON.parse(message.value)) };
};

describe("a dead letter", () => {
  it("says where its input stood, and has that place as its id and key", () => {
    const { message, letter } = letterOf("{}");
    expect(letter).toEqual({
      v: 1,
      id: "call-signals:2:7",
      at: secondsIn(0),
      source: "call-signals",
      partition: 2,
      position: 7,
      key: "call-1",
      reason: "invalid_signal",
      error: "no such thing",
      raw: "{}",
    });
    expect(message).toMatchObject({ topic: "dead-letters", key: letter.id });
    expect(isWhole(letter)).toBe(true);
  });

  it("of a line in a file has no partition", () => {
    const fault = { now: startOfTime, reason: "invalid_json", error: "broken" } as const;
    const letter = JSON.parse(toDeadLetter({ source: "calls.ndjson", position: 4 }, "{", fault).value);
    expect(letter).toMatchObject({ id: "calls.ndjson:4", partition: null, position: 4, key: null });
  });

  it.each([
    ["control characters", "\u0001"],
    ["halves of surrogate pairs", "\ud800"],
    ["pairs", "📞"],
    ["quotes", '"'],
  ])("fits the log however long its input of %s is, and says that it was cut", (_what, text) => {
    const { message, letter } = letterOf(text.repeat(1_000_000), text.repeat(1_000_000));
    expect(Buffer.byteLength(message.value)).toBeLessThan(512 * 1024);
    for (const cut of [letter.raw, letter.error]) {
      expect(cut.endsWith("[cut]")).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
    }
    expect(isWhole(letter)).toBe(false);
  });

  it("does not cut a pair of surrogates in two", () => {
    expect(letterOf(`x${"📞".repeat(100_000)}`).letter.raw).toMatch(/^x(📞)+\[cut\]$/u);
  });

  it("names the first ten faults of a signal, and how many more there are", () => {
    const tags = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]));
    const parsed = parseSignal(JSON.stringify({ ...anIncoming(), tags }));
    expect(parsed.ok ? "no error" : parsed.error).toMatch(/^tags\.k0: .*; tags\.k9: [^;]*; and 19990 more$/);
  });
});
