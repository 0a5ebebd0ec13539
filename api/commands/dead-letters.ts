import { randomUUID } from "node:crypto";
import { systemClock } from "../../ingest/clock.ts";
import type { Position } from "../../ingest/log/log.ts";
import {
  createLetterBox,
  type Foreseen,
  type HeldLetter,
  type LetterBox,
  type RedriveOutcome,
} from "../../ingest/redrive.ts";
import { openLog } from "../adapters.ts";
import { readSettings } from "../settings/settings.ts";
import { type Output, runCommand, toJsonText, toPrintable, UsageError } from "./command.ts";

const usage = `npm run dead-letters -- list|show|redrive [ID…] [options]

Lists, shows and redrives dead letters: messages that could not be processed. The log keeps them
with the reason, as long as its other messages.

  list              prints a line for each letter: id, time, reason, and whether it was redriven
  show ID           prints the letter with its message as JSON
  redrive ID…       publishes the messages of these letters to their topics again
  redrive --all     redrives all letters that wait now and skips those that cannot be redriven; a
                    message that fails again waits for the next run

  --reason REASON   only letters with this reason, such as refused_by_store
  --source NAME     only letters from this topic or file
  --limit N         list, redrive --all: the most letters [100 listed, all redriven]
  --all             list: includes letters that have been redriven
  --again           redrive ID…: even if it was redriven before, or that was interrupted
  --dry-run         redrive: prints what would be done, and does nothing
  --json            prints the letters, or what was done with each, as JSON

A redriven message is a new message. Rows and events are stored once, by their ids; a call takes a
signal that it has seen before for a new one.

It fails when a letter was not redriven, or failed again within two seconds.`;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const options = { reason: text, source: text, limit: text, all: flag, again: flag, "dry-run": flag, json: flag };

interface Request {
  readonly ids: readonly string[];
  readonly reason?: string | undefined;
  readonly source?: string | undefined;
  readonly limit?: number | undefined;
  readonly all: boolean;
  readonly again: boolean;
  readonly dryRun: boolean;
  readonly output: Output;
}

const actions: Readonly<Record<string, (box: LetterBox, asked: Request) => Promise<void>>> = { list, show, redrive };

async function* matching(box: LetterBox, asked: Request): AsyncGenerator<HeldLetter> {
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

async function list(box: LetterBox, asked: Request): Promise<void> {
  const { limit = usualLimit, output } = asked;
  const listed: unknown[] = [];
  let hasMore = false;
  for await (const held of matching(box, { ...asked, limit: limit + 1 })) {
    hasMore = listed.length === limit;
    if (hasMore) break;
    const { raw: _message, ...letter } = held.letter;
    listed.push({ ...letter, redriven: held.redriven });
    output.text(toPrintable(line(held)));
  }
  output.json({ dead_letters: listed, has_more: hasMore });
  if (hasMore) console.error("There are more: ask for them with --limit.");
  if (listed.length === 0) console.error(asked.all ? "There are no dead letters." : "No dead letters wait.");
}

const maxErrorLength = 120;

function line({ letter: { id, at, reason, error }, redriven }: HeldLetter): string {
  const state = redriven === null ? "waiting" : `${redriven.state === "done" ? "redriven" : "begun"} ${redriven.at}`;
  return `${id}  ${at}  ${reason}  ${state}  ${error.replace(/\s+/g, " ").slice(0, maxErrorLength)}`;
}

async function show(box: LetterBox, asked: Request): Promise<void> {
  const [id, ...more] = asked.ids;
  if (id === undefined || more.length > 0) throw new UsageError("Name one letter: show ID.");
  for await (const { letter, redriven } of matching(box, asked))
    return console.log(toJsonText({ ...letter, redriven }));
  throw noSuchLetter(id);
}

const noSuchLetter = (id: string) => new Error(`There is no dead letter ${id}, or the log keeps it no longer.`);

async function redrive(box: LetterBox, asked: Request): Promise<void> {
  if (asked.ids.length === 0 && !asked.all) throw new UsageError("Name letters, or all that wait with --all.");
  if (asked.ids.length === 0 && asked.again) throw new UsageError("--again needs the ids of the letters.");
  const waiting = { ...asked, limit: undefined, all: false };
  const letters = asked.ids.length > 0 ? await findAll(box, asked) : matching(box, waiting);
  if (!(await redriveLetters(box, letters, asked))) process.exitCode = 1;
}

async function findAll(box: LetterBox, asked: Request): Promise<HeldLetter[]> {
  const found: HeldLetter[] = [];
  for await (const held of matching(box, { ...asked, limit: undefined, all: true })) found.push(held);
  const missing = asked.ids.find((id) => !found.some(({ letter }) => letter.id === id));
  if (missing !== undefined) throw noSuchLetter(missing);
  return found;
}

/**
 * Redrives letters one after the other, skips those that cannot be redriven, and prints the result of each and of all.
 * Returns false when a letter was not redriven, or failed again.
 */
async function redriveLetters(
  box: LetterBox,
  letters: AsyncIterable<HeldLetter> | Iterable<HeldLetter>,
  { dryRun, again, limit = Number.POSITIVE_INFINITY, output }: Pick<Request, "dryRun" | "again" | "limit" | "output">,
): Promise<boolean> {
  const outcomes: unknown[] = [];
  const redriven: Position[] = [];
  let [met, done, isMore] = [0, 0, false];
  for await (const { letter } of letters) {
    isMore = done === limit;
    if (isMore) break;
    const outcome = dryRun ? await box.foresee(letter, { again }) : await box.redrive(letter, { again });
    output.text(toPrintable(`${letter.id}  ${describe(outcome)}`));
    outcomes.push({ id: letter.id, outcome: outcome.kind, detail: describe(outcome) });
    met += 1;
    if (outcome.kind === "redriven") redriven.push(outcome.position);
    if (outcome.kind === "redriven" || outcome.kind === "possible") done += 1;
  }
  output.text(`${done} of ${met} letters ${dryRun ? "would be" : "were"} redriven.`);
  const dead = redriven.length === 0 ? 0 : await countBack(box, redriven);
  if (dead > 0) output.text(`${dead} of them came back as dead letters: list tells why.`);
  if (isMore) output.text("There are more: run it again.");
  output.json({
    dead_letters: outcomes,
    dry_run: dryRun,
    redriven: redriven.length,
    came_back: dead,
    has_more: isMore,
  });
  return done === met && dead === 0;
}

/** A running platform processes the messages within about a second. */
const takenWithinMs = 2000;

async function countBack(box: LetterBox, redriven: readonly Position[]): Promise<number> {
  await systemClock.sleep(takenWithinMs);
  return box.countDead(redriven);
}

function describe(outcome: RedriveOutcome | Foreseen): string {
  switch (outcome.kind) {
    case "possible":
      return "would be redriven";
    case "redriven":
      return `is ${outcome.position.topic}:${outcome.position.partition}:${outcome.position.offset} now`;
    case "marked":
      return `${outcome.redriven.state === "done" ? "was redriven" : "somebody began to redrive it"} at ${outcome.redriven.at}: do it once more with --again`;
    case "impossible":
      return `cannot be redriven: ${outcome.why}`;
  }
}

function toLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--limit ${text} is not a whole number from 1 on.`);
}

await runCommand({
  options,
  takesArguments: true,
  usage,
  reads: ["log"],
  async run({ values, positionals }, output) {
    const [name = "", ...ids] = positionals;
    const action = actions[name];
    if (action === undefined) throw new UsageError(`Give an action: ${Object.keys(actions).join(", ")}.`);
    const { reason, source, all = false, again = false, "dry-run": dryRun = false } = values;
    const asked: Request = { ids, reason, source, limit: toLimit(values.limit), all, again, dryRun, output };
    const log = await openLog(readSettings(process.env), { clock: systemClock });
    try {
      await action(createLetterBox({ log, clock: systemClock, run: randomUUID() }), asked);
    } finally {
      await log.close();
    }
  },
});
