import { hash } from "node:crypto";
import { z } from "zod";
import { createBoundedCache } from "../../../ingest/bounded-cache.ts";
import type { Peers } from "../peers/peers.ts";
import { type PingAnswer, pingAnswerSchema } from "./ping-response.ts";

/** A ping's parameters and endpoint, by which repeats are recognised. */
export interface Question {
  readonly orgId: string;
  /** The inbound RTB's. */
  readonly endpointId: string;
  /** The same for pings that ask the same. */
  readonly key: string;
}

export interface Repeat {
  readonly answer: Promise<PingAnswer>;
  /** Tells it apart from every other repeat of the answer. */
  readonly label: string;
}

/** An answer as it is made; `expiresAt` is null where it gave no number. Milliseconds since 1970. */
interface Made {
  readonly answer: PingAnswer;
  readonly expiresAt: number | null;
}

/** An answer, or one that is being made, that stands for pings that ask the same. */
interface Standing {
  readonly answer: Promise<PingAnswer>;
  /** Null while the answer is being made. */
  made: { readonly requestId: string; readonly expiresAt: number } | null;
  /** True if another process gave it. */
  readonly isPeers: boolean;
  /** Repeats so far. */
  count: number;
}

/** Some 60 MB with twenty routes each. */
const maxStanding = 20_000;
/** A call may come for an answer before the process that gave it has sent it. */
const maxTaken = 10_000;

const sharedAnswer = z.object({ key: z.string(), answer: pingAnswerSchema, expiresAt: z.number() });

/**
 * Answers that repeated pings get until the allocation ends, of this process and of its peers. An answer that
 * gave no number has no time to stand for: whoever asks again is judged anew, unless he asks while it is being made. A
 * peer's answer that has not come yet is not known here: the ping is judged anew and given numbers of its own.
 */
export function createRepeats(peers: Peers | null) {
  /** In the order in which they were asked for. */
  const standing = new Map<string, Standing>();
  /** Keyed by the request id of an answer. */
  const keys = new Map<string, string>();
  const taken = createBoundedCache<true>(maxTaken);

  const sendAnswer = peers?.join({
    name: "answer",
    schema: sharedAnswer,
    receive({ key, answer, expiresAt }) {
      const known = standing.get(key);
      const isOwn = known !== undefined && !known.isPeers && (known.made === null || known.made.expiresAt >= expiresAt);
      if (isOwn || taken.has(answer.request_id)) return;
      const made = { requestId: answer.request_id, expiresAt };
      stand(key, { answer: Promise.resolve(answer), made, isPeers: true, count: 0 });
      keys.set(answer.request_id, key);
    },
  });
  const sendTaken = peers?.join({
    name: "taken",
    schema: z.string(),
    receive: forgetRequest,
  });

  function forgetKey(key: string): void {
    const known = standing.get(key);
    standing.delete(key);
    if (known?.made) keys.delete(known.made.requestId);
  }

  function forgetRequest(requestId: string): void {
    taken.set(requestId, true);
    const key = keys.get(requestId);
    if (key !== undefined) forgetKey(key);
  }

  /** In place of what stood for the question, and of the oldest where there are too many. */
  function stand(key: string, entry: Standing): void {
    forgetKey(key);
    if (standing.size >= maxStanding) forgetKey(standing.keys().next().value ?? key);
    standing.set(key, entry);
  }

  function forgetOver(now: number): void {
    for (const [key, known] of standing) {
      if (!isOver(known, now)) return;
      forgetKey(key);
    }
  }

  async function settle(key: string, entry: Standing, made: Promise<Made>): Promise<PingAnswer> {
    try {
      const { answer, expiresAt } = await made;
      if (expiresAt !== null) sendAnswer?.(key, { key, answer, expiresAt });
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
  }

  return {
    /** The answer that stands for this question. */
    find(question: Question, now: number): Repeat | null {
      const known = standing.get(keyOf(question));
      if (known === undefined || isOver(known, now)) return null;
      known.count += 1;
      return { answer: known.answer, label: known.isPeers ? `${known.count}-${peers?.self}` : String(known.count) };
    },

    /** Lets an answer stand that is being made. */
    keep(question: Question, now: number, made: Promise<Made>): Promise<PingAnswer> {
      const key = keyOf(question);
      const answer = made.then((each) => each.answer);
      // Whoever asks meanwhile hears of a failure himself.
      answer.catch(() => undefined);
      const entry: Standing = { answer, made: null, isPeers: false, count: 0 };
      forgetOver(now);
      stand(key, entry);
      return settle(key, entry, made);
    },

    /** The answer to this request is no good any more, in any process: a call came for it. */
    forget(requestId: string): void {
      forgetRequest(requestId);
      sendTaken?.(requestId, requestId);
    },
  };
}

const isOver = ({ made }: Standing, now: number): boolean => made !== null && made.expiresAt <= now;

/** Parameters may be long. */
const longestKey = 256;

function keyOf({ orgId, endpointId, key }: Question): string {
  const whole = `${orgId} ${endpointId} ${key}`;
  return whole.length <= longestKey ? whole : hash("sha256", whole, "base64url");
}
