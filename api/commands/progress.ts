import { SingleBar } from "cli-progress";

export interface Progress {
  /** `done` of the total, and the count that is shown. */
  update(done: number, count: number): void;
  /** A line of its own that the bar does not overwrite. */
  note(line: string): void;
  end(): void;
}

/** Creates a progress bar on a terminal; elsewhere only notes are printed. With `total` null it is a count without a bar. */
export function createProgress(unit: string, total: number | null): Progress {
  const format = total === null ? `{count} ${unit}` : `{bar} {percentage} %  {count} ${unit}  {duration_formatted}`;
  const bar = new SingleBar({ format, hideCursor: true, clearOnComplete: false, barsize: 30, etaBuffer: 50 });
  const onTerminal = process.stderr.isTTY === true;
  let ended = false;
  if (onTerminal) bar.start(total ?? 0, 0, { count: 0 });
  return {
    update(done, count) {
      if (onTerminal) bar.update(done, { count });
    },
    note(line) {
      if (onTerminal) process.stderr.write("\r\x1b[K");
      console.error(line);
    },
    end() {
      if (onTerminal && !ended) bar.stop();
      ended = true;
    },
  };
}
