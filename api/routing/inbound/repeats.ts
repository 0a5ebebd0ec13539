import type { PingAnswer } from "./answer.ts";

/** An answer, or one that is being made, that stands for pings that ask the same. */
interface Standing {
  readonly answer: Promise<PingAnswer>;
  /** Null while the answer is being made; the time in milliseconds since 1970. */
  made: { readonly requestId: string; readonly expiresAt: number } | null;
  /** Repeats so far. */
  count: number;
}

interface Made {
  readonly answer: PingAnswer;
  readonly expiresAt: number | null;
}

/** Some 30 MB with twenty routes each. */
const usualLimit = 10_000;

/**
 * Answers that stand until their allocation ends (semantics 8.9: Repeat), those of this process. An answer that gave no
 * number has no time to stand for: whoever asks again is judged anew, unless he asks while it is being made.
 */
export function createRepeats(limit = usualLimit) {
  /** In the order in which they were asked for. */
  const standing = new Map<string, Standing>();
  /** By the request of an answer that was made. */
  const keys = new Map<string, string>();

  function forgetKey(key: string): void {
    const known = standing.get(key);
    standing.delete(key);
    if (known?.made) keys.delete(known.made.requestId);
  }

  function makeRoom(now: number): void {
    for (const [key, known] of standing) {
      if (standing.size < limit && !isOver(known, now)) return;
      forgetKey(key);
    }
  }

  return {
    /** The answer that stands for this question, and which repeat of it this is, from 1. */
    find(key: string, now: number): { readonly answer: Promise<PingAnswer>; readonly repeat: number } | null {
      const known = standing.get(key);
      if (known === undefined || isOver(known, now)) return null;
      known.count += 1;
      return { answer: known.answer, repeat: known.count };
    },

    /** Lets an answer stand that is being made; `expiresAt` is told with it, null where it gave no number. */
    async keep(key: string, now: number, made: Promise<Made>): Promise<PingAnswer> {
      forgetKey(key);
      makeRoom(now);
      const entry: Standing = { answer: made.then(({ answer }) => answer), made: null, count: 0 };
      standing.set(key, entry);
      // Whoever asks meanwhile hears of a failure himself.
      entry.answer.catch(() => undefined);
      try {
        const { answer, expiresAt } = await made;
        if (standing.get(key) !== entry) return answer;
        if (expiresAt === null) standing.delete(key);
        else {
          entry.made = { requestId: answer.request_id, expiresAt };
          keys.set(answer.request_id, key);
        }
        return answer;
      } catch (error) {
        if (standing.get(key) === entry) standing.delete(key);
        throw error;
      }
    },

    /** The answer to this request is no good any more: a call came for it. */
    forget(requestId: string): void {
      const key = keys.get(requestId);
      if (key !== undefined) forgetKey(key);
    },
  };
}

const isOver = ({ made }: Standing, now: number): boolean => made !== null && made.expiresAt <= now;
