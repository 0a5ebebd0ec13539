import { systemClock } from "../../ingest/clock.ts";
import type { Position } from "../../ingest/log/log.ts";
import type { Foreseen, HeldLetter, LetterBox, RedriveOutcome } from "../../ingest/redrive.ts";
import { printable } from "./printable.ts";

interface Redriving {
  readonly dryRun: boolean;
  readonly again: boolean;
  /** Letters that are redriven; those that cannot be do not count. */
  readonly limit?: number | undefined;
}

/**
 * Redrives one letter after the other, past those that cannot be, and prints what became of each and of all. False when
 * something was not done, or came back.
 */
export async function redriveLetters(
  box: LetterBox,
  letters: AsyncIterable<HeldLetter> | Iterable<HeldLetter>,
  { dryRun, again, limit = Number.POSITIVE_INFINITY }: Redriving,
): Promise<boolean> {
  const redriven: Position[] = [];
  let [met, done, isMore] = [0, 0, false];
  for await (const { letter } of letters) {
    isMore = done === limit;
    if (isMore) break;
    const outcome = dryRun ? await box.foresee(letter, { again }) : await box.redrive(letter, { again });
    console.log(printable(`${letter.id}  ${describe(outcome)}`));
    met += 1;
    if (outcome.kind === "redriven") redriven.push(outcome.position);
    if (outcome.kind === "redriven" || outcome.kind === "possible") done += 1;
  }
  console.log(`${done} of ${met} letters ${dryRun ? "would be" : "were"} redriven.`);
  const dead = redriven.length === 0 ? 0 : await countBack(box, redriven);
  if (dead > 0) console.log(`${dead} of them came back as dead letters: list tells why.`);
  if (isMore) console.log("There are more: run it again.");
  return done === met && dead === 0;
}

/** A running platform takes the messages in within about a second. */
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
