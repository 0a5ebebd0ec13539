import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openLogger } from "../../../api/logging/logger.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openRig() {
  const lines: Record<string, unknown>[] = [];
  const { logger, close } = openLogger("debug", { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { logger, close, lines, said: () => lines.map(({ msg }) => msg) };
}
const refused = (port: number) => Object.assign(new Error(`connect ECONNREFUSED 10.0.0.1:${port}`), { code: "x" });

describe("the log", () => {
  it("writes the first of troubles that are alike, and every half minute how many more there were", () => {
    const { logger, lines } = openRig();
    for (let port = 0; port < 1500; port++) logger.error({ err: refused(port), part: "loader" }, "will try again");
    expect(lines).toMatchObject([{ level: 50, part: "loader", msg: "will try again" }]);
    vi.advanceTimersByTime(30_000);
    expect(lines[1]).toMatchObject({
      level: 50,
      part: "loader",
      repeated: 1499,
      msg: "1499 more like it in the last 30 s",
      like: "will try again: connect ECONNREFUSED 10.0.0.1:0",
    });
    logger.error({ err: refused(7), part: "loader" }, "will try again");
    vi.advanceTimersByTime(30_000);
    expect(lines[2]).toMatchObject({ repeated: 1 });
    vi.advanceTimersByTime(3_600_000);
    expect(lines).toHaveLength(3);
    logger.error({ err: refused(7), part: "loader" }, "will try again");
    expect(lines[3]).toMatchObject({ msg: "will try again" });
  });

  it("writes what differs in its part, its words or its error", () => {
    const { logger, lines } = openRig();
    logger.error({ err: refused(1), part: "loader" }, "will try again");
    logger.error({ err: refused(1), part: "deliver" }, "will try again");
    logger.error({ err: refused(1), part: "loader" }, "failed to close");
    logger.warn({ err: new Error("no space left"), part: "loader" }, "will try again");
    expect(lines).toHaveLength(4);
  });

  it("without an error counts only what says the same in every field", () => {
    const { logger, said } = openRig();
    for (const webhook of ["a", "b", "a"]) logger.warn({ webhook }, "paused");
    expect(said()).toEqual(["paused", "paused"]);
  });

  it("writes everything below a warning, and whatever is fatal", () => {
    const { logger, lines } = openRig();
    for (const level of ["info", "debug", "fatal"] as const) for (const _ of [1, 2]) logger[level]("the same");
    expect(lines).toHaveLength(6);
  });

  it("counts what the lines of requests have in common", () => {
    const { logger, lines } = openRig();
    for (const id of [1, 2, 3]) logger.child({ req: { id } }).error({ err: refused(id) }, "request failed");
    expect(lines).toMatchObject([{ req: { id: 1 } }]);
  });

  it("tells at the end what it has counted", () => {
    const { logger, close, said } = openRig();
    for (const port of [1, 2, 3]) logger.error({ err: refused(port) }, "will try again");
    close();
    close();
    expect(said()).toEqual(["will try again", "2 more like it in the last 30 s"]);
  });

  it("tells of a thousand kinds at once, the oldest early", () => {
    const { logger, lines } = openRig();
    const kind = (index: number) => "k".repeat(index + 1);
    for (let index = 0; index < 1000; index++) logger.warn(kind(index));
    logger.warn(kind(0));
    expect(lines).toHaveLength(1000);
    logger.warn(kind(1000));
    expect(lines.slice(1000)).toMatchObject([{ repeated: 1, like: "k" }, { msg: kind(1000) }]);
  });
});
