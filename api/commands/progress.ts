import { SingleBar } from "cli-progress";
import { type Clock, systemClock } from "../../ingest/clock.ts";

export interface Progress {
  /** `done` of the total, and the count that is shown. */
  update(done: number, count: number): void;
  /** A line of its own that the bar does not overwrite. */
  note(line: string): void;
  end(): void;
}

interface ProgressOptions {
  readonly isTerminal?: boolean;
  readonly clock?: Pick<Clock, "now">;
}

/** Creates a progress bar on a terminal, and elsewhere plain lines. With `total` null it is a count without a bar. */
export function createProgress(unit: string, total: number | null, options: ProgressOptions = {}): Progress {
  const { isTerminal = process.stderr.isTTY === true, clock = systemClock } = options;
  return isTerminal ? progressBar(unit, total) : progressLines(unit, total, clock);
}

function progressBar(unit: string, total: number | null): Progress {
  const format = total === null ? `{count} ${unit}` : `{bar} {percentage} %  {count} ${unit}  {duration_formatted}`;
  const bar = new SingleBar({ format, hideCursor: true, clearOnComplete: false, barsize: 30, etaBuffer: 50 });
  let ended = false;
  bar.start(total ?? 0, 0, { count: 0 });
  return {
    update: (done, count) => bar.update(done, { count }),
    note(line) {
      process.stderr.write("\r\x1b[K");
      console.error(line);
    },
    end() {
      if (!ended) bar.stop();
      ended = true;
    },
  };
}

/** A log of a minute's work has some six lines of it; of what is done at once it has none. */
const lineEveryMs = 10_000;

function progressLines(unit: string, total: number | null, clock: Pick<Clock, "now">): Progress {
  let saidAt = clock.now();
  return {
    update(done, count) {
      if (clock.now() - saidAt < lineEveryMs) return;
      saidAt = clock.now();
      const share = total === null ? "" : `${Math.floor((100 * done) / total)} %  `;
      console.error(`${share}${count} ${unit}`);
    },
    note: (line) => console.error(line),
    end: () => undefined,
  };
}
