import { randomUUID } from "node:crypto";
import { systemClock } from "../../ingest/clock.ts";
import { createLetterBox, type HeldLetter, type LetterBox } from "../../ingest/redrive.ts";
import { openLog } from "../open-stores.ts";
import { readSettings } from "../settings/settings.ts";
import { runCommand } from "./command.ts";
import { helpText } from "./help.ts";
import { printable } from "./printable.ts";
import { redriveLetters } from "./redrive-letters.ts";

const usage = `npm run dead-letters -- list|show|redrive [ID…] [options]

Messages that could not be used are kept in the log, as long as it keeps anything, with the reason.

  list              one line a letter: id, when, why, and whether it was redriven
  show ID           the whole letter, with the message, as JSON
  redrive ID…       publishes the messages of these letters to their topics again
  redrive --all     those of all letters that wait now, past those that cannot be; what comes back
                    waits for the next run

  --reason REASON   only letters of this reason, such as refused_by_store
  --source NAME     only letters from this topic or file
  --limit N         list, redrive --all: at most so many [100 listed, all redriven]
  --all             list: those that have been redriven, too
  --again           redrive ID…: though it was done before, or begun by somebody who was stopped
  --dry-run         redrive: only tell what would be done

What is redriven comes in as a new message. Rows and events are stored once, by their ids; a call
takes a signal that it has met already for a new one.

Exit code: 0 when all was done and nothing came back within two seconds, else 1.`;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const options = { reason: text, source: text, limit: text, all: flag, again: flag, "dry-run": flag };

interface Asked {
  readonly ids: readonly string[];
  readonly reason?: string | undefined;
  readonly source?: string | undefined;
  readonly limit?: number | undefined;
  readonly all: boolean;
  readonly again: boolean;
  readonly dryRun: boolean;
}

const actions: Readonly<Record<string, (box: LetterBox, asked: Asked) => Promise<void>>> = { list, show, redrive };

async function* matching(box: LetterBox, asked: Asked): AsyncGenerator<HeldLetter> {
  const { ids, reason, source, limit = Number.POSITIVE_INFINITY } = asked;
  let found = 0;
  for await (const held of box.letters()) {
    const { letter } = held;
    if (ids.length > 0 && !ids.includes(letter.id)) continue;
    if (ids.length === 0 && !asked.all && held.redriven !== null) continue;
    if (reason !== undefined && letter.reason !== reason) continue;
    if (source !== undefined && letter.source !== source) continue;
    if (found === limit) return;
    found += 1;
    yield held;
  }
}

const usualLimit = 100;

async function list(box: LetterBox, asked: Asked): Promise<void> {
  const limit = asked.limit ?? usualLimit;
  let listed = 0;
  for await (const held of matching(box, { ...asked, limit: limit + 1 })) {
    if (listed === limit) return console.error(`There are more: ask for them with --limit.`);
    listed += 1;
    console.log(printable(line(held)));
  }
  if (listed === 0) console.error(asked.all ? "There are no dead letters." : "No dead letters wait.");
}

const maxErrorLength = 120;

function line({ letter: { id, at, reason, error }, redriven }: HeldLetter): string {
  const state = redriven === null ? "waiting" : `${redriven.state === "done" ? "redriven" : "begun"} ${redriven.at}`;
  return `${id}  ${at}  ${reason}  ${state}  ${error.replace(/\s+/g, " ").slice(0, maxErrorLength)}`;
}

async function show(box: LetterBox, asked: Asked): Promise<void> {
  const [id, ...more] = asked.ids;
  if (id === undefined || more.length > 0) throw new Error("Name one letter: show ID.");
  for await (const { letter, redriven } of matching(box, asked))
    return console.log(
      JSON.stringify({ ...letter, redriven }, null, 2)
        .split("\n")
        .map(printable)
        .join("\n"),
    );
  throw noSuchLetter(id);
}

const noSuchLetter = (id: string) => new Error(`There is no dead letter ${id}, or the log keeps it no longer.`);

async function redrive(box: LetterBox, asked: Asked): Promise<void> {
  if (asked.ids.length === 0 && !asked.all) throw new Error("Name letters, or all that wait with --all.");
  if (asked.ids.length === 0 && asked.again) throw new Error("--again needs the ids of the letters.");
  const waiting = { ...asked, limit: undefined, all: false };
  const letters = asked.ids.length > 0 ? await findAll(box, asked) : matching(box, waiting);
  if (!(await redriveLetters(box, letters, asked))) process.exitCode = 1;
}

async function findAll(box: LetterBox, asked: Asked): Promise<HeldLetter[]> {
  const found: HeldLetter[] = [];
  for await (const held of matching(box, { ...asked, limit: undefined, all: true })) found.push(held);
  const missing = asked.ids.find((id) => !found.some(({ letter }) => letter.id === id));
  if (missing !== undefined) throw noSuchLetter(missing);
  return found;
}

function toLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`--limit ${text} is no number of letters: give a whole number from 1 on.`);
}

await runCommand({
  options,
  help: () => helpText({ usage, reads: ["log"] }),
  async run({ values, positionals }) {
    const [name = "", ...ids] = positionals;
    const action = actions[name];
    if (action === undefined) throw new Error(`Say what to do: ${Object.keys(actions).join(", ")}. See --help.`);
    const { reason, source, all = false, again = false, "dry-run": dryRun = false } = values;
    const asked: Asked = { ids, reason, source, limit: toLimit(values.limit), all, again, dryRun };
    const log = await openLog(readSettings(process.env), { clock: systemClock });
    try {
      await action(createLetterBox({ log, clock: systemClock, run: randomUUID() }), asked);
    } finally {
      await log.close();
    }
  },
});
