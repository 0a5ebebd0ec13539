import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { describeSettings } from "../settings/settings.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Args<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>>;

export interface Command<O extends Options> extends Help {
  /** A command whose options include `json: { type: "boolean" }` has an output for programs. */
  readonly options?: O;
  /** True if it takes arguments that are no options. */
  readonly takesArguments?: true;
  run(args: Args<O>, output: Output): Promise<void>;
  /** Ends the process with the command, even if a part has left something open, such as a connection that does not answer. */
  readonly exits?: boolean;
}

/** A command line that the command does not take. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The standard output of a command: text for a person or, with `--json`, one document for a program. */
export interface Output {
  /** Prints a line unless `--json` is given. */
  text(line: string): void;
  /** Prints the document if `--json` is given: call it once, with everything that the text says. */
  json(document: unknown): void;
}

/**
 * Runs a command of the shell: prints `--help` or `--version`, parses options, and reports an error as one sentence with
 * exit code 1, or with 2 when the command line is wrong.
 */
export async function runCommand<O extends Options>(command: Command<O>): Promise<void> {
  // Files that the process and its children create are readable by their user alone: stores, keys, copies, exports.
  process.umask(0o077);
  const given = process.argv.slice(2);
  const flags = given.slice(0, given.includes("--") ? given.indexOf("--") : given.length);
  if (flags.includes("--help") || flags.includes("-h")) return console.log(helpText(command));
  if (flags.includes("--version")) return console.log(readVersion());
  try {
    const args = parseCommandLine(command);
    await command.run(args, createOutput("json" in args.values && args.values.json === true));
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    console.error(error instanceof UsageError ? `${sentence} See --help.` : sentence);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
  if (command.exits) process.exit();
}

function parseCommandLine<O extends Options>({ options = {} as O, takesArguments }: Command<O>): Args<O> {
  const { tokens } = parseArgs({ options, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === "positional" && !takesArguments)
      throw new UsageError(`"${token.value}" is no option, and there are no other arguments.`);
    if (token.kind !== "option") continue;
    const option = options[token.name];
    if (option === undefined) throw new UsageError(`There is no option ${token.rawName}.`);
    if (option.type === "boolean" && token.value !== undefined) throw new UsageError(`${token.rawName} has no value.`);
    if (option.type === "string" && !hasValue(token)) throw new UsageError(`${token.rawName} needs a value.`);
  }
  return parseArgs({ options, allowPositionals: true, strict: true });
}

/** The option that follows is no value: one that begins with a dash is written --name=-value. Nor is an unset variable. */
const hasValue = ({ value = "", inlineValue }: { value?: string | undefined; inlineValue?: boolean | undefined }) =>
  value !== "" && (inlineValue === true || value === "-" || !value.startsWith("-"));

const createOutput = (isJson: boolean): Output => ({
  text: (line) => (isJson ? undefined : console.log(line)),
  json: (document) => (isJson ? console.log(toJsonText(document)) : undefined),
});

/** JSON in lines, with control and bidirectional characters of texts escaped, for a terminal. */
export const toJsonText = (document: unknown): string =>
  JSON.stringify(document, null, 2).split("\n").map(toPrintable).join("\n");

/** Escapes control and bidirectional characters of a line for a terminal, as JSON does. */
export const toPrintable = (text: string): string => text.replace(/\p{C}/gu, escaped);

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => {
    const code = character.charCodeAt(index).toString(16);
    return `\\u${code.padStart(4, "0")}`;
  }).join("");

/** The version of the installation; the build copies the file of the package into dist/. */
function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return version;
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

const everyCommand = `  --help, --version    prints this; prints the version

Exit code: 0 when all was done, 1 when something failed, 2 when the command line is wrong.`;

/** Returns the text of `--help`: the usage, then the settings that the command reads. */
export function helpText({ usage, reads = [], also = [] }: Help): string {
  const general = `${usage}\n\n${everyCommand}`;
  const settings = describeSettings().filter(
    ({ name }) => also.includes(name) || reads.some((area) => areas[area].test(name)),
  );
  if (settings.length === 0) return general;
  const indent = 4 + Math.max(...settings.map(({ name }) => name.length));
  const lines = settings.flatMap(({ name, meaning, default: value }) =>
    wrap(value === "" ? meaning : `${meaning} [${value}]`, helpColumns - indent).map((part, index) =>
      `  ${index === 0 ? name : ""}`.padEnd(indent).concat(part),
    ),
  );
  const rest = reads.includes("service") ? [] : ["", otherSettings];
  return [general, "", "Settings, by environment:", "", ...lines, ...rest].join("\n");
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
