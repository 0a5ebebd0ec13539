import type { Clock } from "./clock.ts";
import { type DeadLetter, deadLetterSchema, isWhole, letterIdOf } from "./dead-letter.ts";
import { type EventLog, type NewMessage, type Position, topics } from "./log/log.ts";
import { parseJson } from "./parse.ts";
import { createMarks, type Redriven, toMark } from "./redrive-mark.ts";

/** A letter and the state of its redrive; null if there was none. */
export interface HeldLetter {
  readonly letter: DeadLetter;
  readonly redriven: Redriven | null;
}

export type RedriveOutcome =
  | { readonly kind: "redriven"; readonly position: Position }
  /** A redrive has begun or is done. */
  | { readonly kind: "marked"; readonly redriven: Redriven }
  /** The letter cannot be redriven, for this reason. */
  | { readonly kind: "impossible"; readonly why: string };

export type Foreseen = Exclude<RedriveOutcome, { readonly kind: "redriven" }> | { readonly kind: "possible" };

export interface LetterBoxDeps {
  readonly log: Pick<EventLog, "read" | "ends" | "publish">;
  readonly clock: Clock;
  /** The id of this process among others that redrive at the same time. */
  readonly run: string;
}

/**
 * The dead letters that the log still has. A redriven message is published to its topic again, at a new offset; marks
 * before and after it show what a process that was stopped, or one that redrives at the same time, has done.
 */
export function createLetterBox({ log, clock, run }: LetterBoxDeps) {
  const marks = createMarks(log);

  /** The ends of the dead letters' partitions when the first one was redriven. */
  let since: readonly number[] = [];

  return {
    /** Letters by partition, oldest first; one that was written twice comes once, and later ones are left out. */
    letters: () => readLetters({ log, marks }, []),

    /** Counts how many of these redriven messages are dead letters again. */
    async countDead(positions: readonly Position[]): Promise<number> {
      const ids = new Set(positions.map(letterIdOf));
      let dead = 0;
      for await (const { letter } of readLetters({ log, marks }, since)) if (ids.has(letter.id)) dead += 1;
      return dead;
    },

    /** Returns the result that `redrive` would have now. */
    async foresee(letter: DeadLetter, { again = false } = {}): Promise<Foreseen> {
      const made = toRedrivenMessage(letter);
      if (!made.ok) return { kind: "impossible", why: made.why };
      await marks.readOn();
      const redriven = marks.of(letter.id);
      return redriven !== undefined && !again ? { kind: "marked", redriven } : { kind: "possible" };
    },

    /** Redrives a letter; with `again` also one whose redrive has begun or is done. */
    async redrive(letter: DeadLetter, { again = false } = {}): Promise<RedriveOutcome> {
      const made = toRedrivenMessage(letter);
      if (!made.ok) return { kind: "impossible", why: made.why };
      await marks.readOn();
      const before = marks.of(letter.id);
      if (before !== undefined && !again) return { kind: "marked", redriven: before };
      const mark = { id: letter.id, attempt: (before?.attempt ?? 0) + 1, run };
      if (since.length === 0) since = await log.ends("dead-letters");
      await log.publish([toMark({ ...mark, state: "begun" }, clock)]);
      await marks.readOn();
      const first = marks.of(letter.id);
      // Somebody else's mark stands before ours: theirs is the redrive.
      if (first !== undefined && first.run !== run) return { kind: "marked", redriven: first };
      const [position] = await log.publish([made.message]);
      await log.publish([toMark({ ...mark, state: "done" }, clock)]);
      if (position === undefined) throw new Error("The log returned no position for the message.");
      return { kind: "redriven", position };
    },
  };
}
export type LetterBox = ReturnType<typeof createLetterBox>;

/** Reads the letters from these offsets to the ends at the start of reading, with their marks. */
async function* readLetters(
  { log, marks }: { readonly log: LetterBoxDeps["log"]; readonly marks: ReturnType<typeof createMarks> },
  from: readonly number[],
): AsyncGenerator<HeldLetter> {
  await marks.readOn();
  for (const [partition, end] of (await log.ends("dead-letters")).entries()) {
    const seen = new Set<string>();
    for await (const { offset, value } of log.read({
      topic: "dead-letters",
      partition,
      offset: from[partition] ?? 0,
    })) {
      if (offset >= end) break;
      const letter = parseLetter(value);
      if (letter === null || seen.has(letter.id)) continue;
      seen.add(letter.id);
      yield { letter, redriven: marks.of(letter.id) ?? null };
    }
  }
}

/** Null for what is no letter, such as a mark. */
function parseLetter(value: string): DeadLetter | null {
  const json = parseJson(value);
  const letter = deadLetterSchema.safeParse(json.ok ? json.value : undefined);
  return letter.success ? letter.data : null;
}

type Made = { readonly ok: true; readonly message: NewMessage } | { readonly ok: false; readonly why: string };

/** Rebuilds the message; one that can never be accepted as it is is not published again. */
export function toRedrivenMessage(letter: DeadLetter): Made {
  const { source, position, raw, reason } = letter;
  const topic = topics.find((each) => each === source);
  const no = (why: string): Made => ({ ok: false, why });
  if (topic === undefined)
    return no(`line ${position} of ${source} never was in the log: correct it there and ingest it again`);
  if (!isWhole(letter)) return no("the message was too long to be kept whole: send it again from where it came");
  const json = parseJson(raw);
  if (!json.ok || reason === "invalid_json") return no("it is no JSON document, and never will be");
  const key = letter.key ?? keyOf(json.value);
  return key === null ? no("it has neither a call id nor an id") : { ok: true, message: { topic, key, value: raw } };
}

/** Derives the key for letters without one: call topics use the call id, the others only need the same id. */
function keyOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const found = [Reflect.get(value, "call_id"), Reflect.get(value, "id")].find((each) => typeof each === "string");
  return typeof found === "string" ? found : null;
}
