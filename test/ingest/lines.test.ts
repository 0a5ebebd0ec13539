import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Line, readLines } from "../../ingest/lines.ts";

async function* inChunks(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const end of [...cuts].map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other)) {
    yield bytes.subarray(start, end);
    start = end;
  }
  yield bytes.subarray(start);
}

async function linesOf(text: string | Uint8Array, { maxLineBytes = 1000, cuts = [] as readonly number[] } = {}) {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const lines: Line[] = [];
  for await (const line of readLines(inChunks(bytes, cuts), maxLineBytes)) lines.push(line);
  return lines;
}
const texts = async (text: string | Uint8Array, options?: { maxLineBytes?: number }) =>
  (await linesOf(text, options)).map((line) => line.text);

describe("the lines of a stream", () => {
  it("are the same however it is cut into chunks, even inside a character", async () => {
    const anyText = fc.string({ unit: fc.constantFrom("a", "é", "☕", "𝄞", "\n", "\r", "\r\n", " ") });
    await fc.assert(
      fc.asyncProperty(anyText, fc.array(fc.nat(), { maxLength: 8 }), fc.nat({ max: 12 }), async (text, cuts, max) => {
        const whole = await linesOf(text, { maxLineBytes: max });
        expect(await linesOf(text, { maxLineBytes: max, cuts })).toEqual(whole);
      }),
    );
  });

  it("are what stands between line feeds, numbered from 1, with the bytes read so far", async () => {
    const anyLine = fc.string({ unit: fc.constantFrom("a", "é", "☕", "{", " ") });
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine), fc.constantFrom("\n", "\r\n"), async (lines, end) => {
        const read = await linesOf(lines.map((line) => line + end).join(""));
        expect(read.map(({ text }) => text)).toEqual(lines);
        expect(read.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
        let bytes = 0;
        for (const [index, line] of lines.entries()) {
          bytes += Buffer.byteLength(line + end);
          expect(read[index]?.bytesRead).toBe(bytes);
        }
      }),
    );
  });

  it.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\nb", ["a", "b"]],
    ["\n\na", ["", "", "a"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\rb\n", ["a\rb"]],
    ["a\r", ["a"]],
  ])("of %j are %j", async (text, lines) => {
    expect(await texts(text)).toEqual(lines);
  });

  it("leave out the byte order mark before the first one, and no other", async () => {
    expect(await texts("\ufeff{}\n\ufeff{}")).toEqual(["{}", "\ufeff{}"]);
  });
});

describe("a line that is too long", () => {
  it.each(["", "\n", "\nnext"])("is told without its text, and the rest goes on (%j behind it)", async (rest) => {
    const read = await linesOf(`ok\n${"x".repeat(11)}${rest}`, { maxLineBytes: 10 });
    expect(read.map(({ number, text }) => [number, text])).toEqual([
      [1, "ok"],
      [2, null],
      ...(rest === "\nnext" ? [[3, "next"]] : []),
    ]);
  });

  it("is one of more bytes than allowed, not of as many", async () => {
    expect(await texts("é".repeat(5), { maxLineBytes: 10 })).toEqual(["é".repeat(5)]);
    expect(await texts(`${"é".repeat(5)}a`, { maxLineBytes: 10 })).toEqual([null]);
  });

  it("is not held in memory, however long it grows", async () => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    let most = 0;
    async function* endless() {
      const before = process.memoryUsage().arrayBuffers;
      for (let count = 0; count < 500; count += 1) {
        yield Buffer.from(chunk);
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
    }
    for await (const { text } of readLines(endless(), 1000)) expect(text).toBeNull();
    expect(most).toBeLessThan(250 * 1024 * 1024);
  });
});
