import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import type { Settings } from "../settings/settings.ts";

const windowSeconds = 30;
/** Kinds of trouble that are counted at once; of more, those that began first are told early. */
const mostStorms = 1000;
const { warn, fatal } = pino.levels.values;

/**
 * Lines of JSON on standard error, each written before the call returns. Of troubles that are alike the first is written,
 * and how many more there were every half minute while there are any.
 */
export function openLogger(level: Settings["LOG_LEVEL"], destination: DestinationStream = pino.destination(2)) {
  const storms = createStorms();
  const logMethod: NonNullable<LoggerOptions["hooks"]>["logMethod"] = function (this: Logger, given, method, at) {
    const write = (...line: unknown[]) => method.apply(this, line as typeof given);
    if (at >= (warn ?? 0) && at < (fatal ?? 0)) storms.meet(given, write);
    else {
      // The counted repeats are logged first, then why the process ends.
      if (at >= (fatal ?? 0)) storms.tellAll();
      write(...given);
    }
  };
  const logger: Logger = pino({ level, hooks: { logMethod } }, destination);
  return {
    logger,
    /** Writes what has been counted and not told yet. */
    close: storms.tellAll,
  };
}

type Write = (...line: unknown[]) => void;
interface Storm {
  /** Since the last that was told. */
  count: number;
  readonly tell: (count: number) => void;
  readonly timer: NodeJS.Timeout;
}

/** Troubles by what makes them alike, as long as some come. */
function createStorms() {
  const storms = new Map<string, Storm>();

  /** Tells what was counted; whether that was any. */
  function end(key: string): boolean {
    const storm = storms.get(key);
    clearTimeout(storm?.timer);
    storms.delete(key);
    if (storm === undefined || storm.count === 0) return false;
    storm.tell(storm.count);
    return true;
  }

  function begin(key: string, tell: Storm["tell"]): void {
    const timer = setTimeout(() => {
      if (end(key)) begin(key, tell);
    }, windowSeconds * 1000);
    // A process that is done with everything else does not wait for it.
    timer.unref();
    storms.set(key, { count: 0, tell, timer });
  }

  return {
    meet(line: readonly unknown[], write: Write): void {
      const { key, about } = describe(line);
      const known = storms.get(key);
      if (known !== undefined) {
        known.count += 1;
        return;
      }
      const oldest = storms.size >= mostStorms ? storms.keys().next().value : undefined;
      if (oldest !== undefined) end(oldest);
      begin(key, (count) =>
        write({ ...about, repeated: count }, `${count} more like it in the last ${windowSeconds} s`),
      );
      write(...line);
    },
    tellAll(): void {
      for (const key of [...storms.keys()]) end(key);
    },
  };
}

interface Fields {
  readonly err?: unknown;
  readonly part?: unknown;
}

/**
 * Returns the key by which lines are alike: an error's words without numbers and ids (ports, durations, rows), else the
 * whole message.
 */
function describe([first, second]: readonly unknown[]) {
  const fields: Fields = typeof first === "object" && first !== null ? first : {};
  const words = String(typeof first === "string" ? first : second);
  if (!(fields.err instanceof Error))
    return { key: `${words} ${JSON.stringify(fields)}`, about: { ...fields, like: words } };
  const { name, message } = fields.err;
  const code = "code" in fields.err ? String(fields.err.code) : "";
  const about = { part: fields.part, like: `${words}: ${message}` };
  return { key: [words, fields.part, name, code, message.replace(variable, "#")].join("\n"), about };
}

const variable = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d+/gi;
