import { pino } from "pino";
import { expect, it } from "vitest";
import { logDeadLetters, logGroupEvents } from "../../../api/logging/event-log.ts";
import { toDeadLetter } from "../../../ingest/dead-letter.ts";
import { startOfTime } from "../../make.ts";

function createLogger() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => {
    const { time: _, pid: __, hostname: ___, ...rest } = JSON.parse(line);
    lines.push(rest);
  };
  return { lines, logger: pino({ level: "info" }, { write }) };
}
const [info, warn] = [30, 40];

it("an assignment of partitions is information, a lost session a warning", () => {
  const { lines, logger } = createLogger();
  const tell = logGroupEvents(logger);
  const about = { group: "deliver", topic: "call-events" } as const;
  tell({ kind: "assigned", ...about, generation: 3, partitions: [0, 2], gained: [2], lost: [1] });
  tell({ kind: "expelled", ...about });
  tell({ kind: "unreachable", ...about });
  expect(lines).toEqual([
    {
      level: info,
      part: "log",
      ...about,
      generation: 3,
      partitions: [0, 2],
      gained: [2],
      lost: [1],
      msg: "partitions were assigned",
    },
    { level: warn, part: "log", ...about, msg: expect.stringContaining("session timed out") },
    { level: warn, part: "log", ...about, msg: expect.stringContaining("could not be reached") },
  ]);
});

it("each dead letter is named once by its place and reason, without what it says, and of many the rest is counted", () => {
  const { lines, logger } = createLogger();
  const letterAt = (position: number) =>
    toDeadLetter({ source: "call-signals", partition: 1, position }, "a caller's number", {
      now: startOfTime,
      reason: "invalid_json",
      error: "no JSON: a caller's number",
    });
  const tell = logDeadLetters(logger);
  tell([{ topic: "call-events", value: "{}" }, letterAt(7)]);
  expect(lines).toEqual([
    {
      level: warn,
      part: "log",
      id: "call-signals:1:7",
      source: "call-signals",
      partition: 1,
      position: 7,
      reason: "invalid_json",
      msg: "dead-lettered: npm run dead-letters -- show call-signals:1:7",
    },
  ]);
  tell(Array.from({ length: 25 }, (_, position) => letterAt(position)));
  expect(lines).toHaveLength(12);
  expect(lines.at(-1)).toMatchObject({ level: warn, letters: 15 });
  expect(JSON.stringify(lines)).not.toContain("caller's number");
});
