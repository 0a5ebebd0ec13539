import { expect, it, vi } from "vitest";
import { createProgress } from "../../../api/commands/progress.ts";

it.each([
  [3000, ["33 %  1000 calls", "83 %  2500 calls"]],
  [null, ["1000 calls", "2500 calls"]],
])("progress without a terminal, of %s, is a line each ten seconds", (total, lines) => {
  const said: string[] = [];
  const print = vi.spyOn(console, "error").mockImplementation((line) => void said.push(line));
  let now = 0;
  const progress = createProgress("calls", total, { isTerminal: false, clock: { now: () => now } });
  for (const [seconds, done] of [
    [1, 100],
    [10, 1000],
    [19, 2000],
    [20, 2500],
    [21, 3000],
  ] as const) {
    now = seconds * 1000;
    progress.update(done, done);
  }
  progress.end();
  print.mockRestore();
  expect(said).toEqual(lines);
});
