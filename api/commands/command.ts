import { type ParseArgsConfig, parseArgs } from "node:util";
import { describeSettings } from "../settings/settings.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Args<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>>;

export interface Command<O extends Options> extends Help {
  readonly options?: O;
  run(args: Args<O>): Promise<void>;
  /** Ends the process with the command, even if a part has left something open, such as a connection that does not answer. */
  readonly exits?: boolean;
}

/** A command line that the command does not take. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError || (error instanceof TypeError && String(codeOf(error)).startsWith("ERR_PARSE_ARGS"));
const codeOf = (error: Error): unknown => ("code" in error ? error.code : undefined);

/**
 * Runs a command of the shell: prints `--help`, parses options, and reports an error as one sentence with exit code 1, or
 * with 2 when the command line is wrong.
 */
export async function runCommand<O extends Options>(command: Command<O>): Promise<void> {
  // Files that the process and its children create are readable by their user alone: stores, keys, copies, exports.
  process.umask(0o077);
  try {
    if (process.argv.slice(2).some((each) => each === "--help" || each === "-h")) {
      console.log(helpText(command));
      return;
    }
    const options = command.options ?? ({} as O);
    await command.run(parseArgs({ options, allowPositionals: true, strict: true }));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = isUsageError(error) ? 2 : 1;
  }
  if (command.exits) process.exit();
}

/** Groups of settings, by their names. */
const areas = {
  log: /^(DATA_DIR|REDPANDA_.*)$/,
  warehouse: /^(DATA_DIR|ANALYTICS|CLICKHOUSE_.*|WAREHOUSE_.*)$/,
  config: /^(DATA_DIR|DATABASE_URL)$/,
  service: /^(?!DEMO_)/,
  demo: /^DEMO_/,
} as const;

export interface Help {
  /** The command line, a description and the options: lines of up to `helpColumns` characters. */
  readonly usage: string;
  /** The groups of settings that the command reads. */
  readonly reads?: readonly (keyof typeof areas)[];
  /** Single settings that it reads, too. */
  readonly also?: readonly string[];
}

export const helpColumns = 100;
const otherSettings = "All settings of the service: npm start -- --help";

/** Returns the text of `--help`: the usage, then the settings that the command reads. */
export function helpText({ usage, reads = [], also = [] }: Help): string {
  const settings = describeSettings().filter(
    ({ name }) => also.includes(name) || reads.some((area) => areas[area].test(name)),
  );
  if (settings.length === 0) return usage;
  const indent = 4 + Math.max(...settings.map(({ name }) => name.length));
  const lines = settings.flatMap(({ name, meaning, default: value }) =>
    wrap(value === "" ? meaning : `${meaning} [${value}]`, helpColumns - indent).map((part, index) =>
      `  ${index === 0 ? name : ""}`.padEnd(indent).concat(part),
    ),
  );
  const rest = reads.includes("service") ? [] : ["", otherSettings];
  return [usage, "", "Settings, by environment:", "", ...lines, ...rest].join("\n");
}

/** Breaks a text into lines; a word that is longer has a line of its own. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
