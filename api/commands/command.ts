import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Args<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>>;

/** Runs a command of the shell: `--help`, its options, files for its user alone, and every error as one sentence with exit code 1. */
export async function runCommand<O extends Options>(command: {
  readonly options: O;
  help(): string;
  run(args: Args<O>): Promise<void>;
  /** Whether the process ends with the command, whatever a part of it has left behind, such as a connection that does not answer. */
  readonly exits?: boolean;
}): Promise<void> {
  // Whatever the process and those it starts make is their user's alone: stores, keys, copies, exports.
  process.umask(0o077);
  try {
    if (process.argv.slice(2).some((each) => each === "--help" || each === "-h")) {
      console.log(command.help());
      return;
    }
    await command.run(parseArgs({ options: command.options, allowPositionals: true, strict: true }));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
  if (command.exits) process.exit();
}
