import { z } from "zod";
import type { Clock } from "./clock.ts";
import { isoTime } from "./clock.ts";
import type { EventLog, NewMessage } from "./log/log.ts";
import { parseJson } from "./parse.ts";
import { timestamp } from "./primitives.ts";

/** A mark beside a letter, in its partition: a redrive has begun or is done. */
const markSchema = z.object({
  v: z.literal(1),
  redrives: z.string().min(1),
  at: timestamp,
  /** Counted from 1; if several runs begin the same attempt, the first mark in the log owns it. */
  attempt: z.number().int().min(1),
  run: z.string().min(1),
  state: z.enum(["begun", "done"]),
});
export type RedriveMark = z.infer<typeof markSchema>;

/** The last redrive of a letter: attempt, run and state. */
export type Redriven = Pick<RedriveMark, "attempt" | "run" | "state" | "at">;

/** Null for what is no mark, such as a letter. */
function parseMark(value: string): RedriveMark | null {
  const json = parseJson(value);
  const mark = markSchema.safeParse(json.ok ? json.value : undefined);
  return mark.success ? mark.data : null;
}

export const toMark = (
  { id, attempt, run, state }: { id: string } & Pick<RedriveMark, "attempt" | "run" | "state">,
  clock: Clock,
): NewMessage => ({
  topic: "dead-letters",
  key: id,
  value: JSON.stringify({
    v: 1,
    redrives: id,
    at: isoTime(clock.now()),
    attempt,
    run,
    state,
  } satisfies RedriveMark),
});

/** Reads the marks of the log; each reading continues where the last one ended. */
export function createMarks(log: Pick<EventLog, "read" | "ends">) {
  const known = new Map<string, Redriven>();
  const places: number[] = [];

  function note({ redrives, attempt, run, state, at }: RedriveMark): void {
    const before = known.get(redrives);
    if (state === "begun" && attempt > (before?.attempt ?? 0)) known.set(redrives, { attempt, run, state, at });
    if (state === "done" && run === before?.run) known.set(redrives, { attempt, run, state, at });
  }

  return {
    of: (letterId: string): Redriven | undefined => known.get(letterId),
    async readOn(): Promise<void> {
      const ends = await log.ends("dead-letters");
      for (const partition of ends.keys()) {
        const offset = places[partition] ?? 0;
        if (offset >= (ends[partition] ?? 0)) continue;
        for await (const message of log.read({ topic: "dead-letters", partition, offset })) {
          places[partition] = message.offset + 1;
          const mark = parseMark(message.value);
          if (mark !== null) note(mark);
        }
      }
    },
  };
}
