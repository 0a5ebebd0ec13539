import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Notices } from "../notices/notices.ts";
import { type PingAnswer, pingAnswerSchema } from "./answer.ts";
import { createRepeats } from "./repeats.ts";

/** What a ping asks, where. */
export interface Question {
  readonly orgId: string;
  /** The inbound RTB's. */
  readonly endpointId: string;
  /** The same for pings that ask the same. */
  readonly key: string;
}

/** What a ping was answered; `expiresAt` is null where it gave no number. */
interface Made {
  readonly answer: PingAnswer;
  readonly expiresAt: number | null;
}

export interface Repeat {
  readonly answer: Promise<PingAnswer>;
  /** Tells it apart from every other repeat of the answer. */
  readonly label: string;
}

/** Some 30 MB with twenty routes each, as many as a process keeps of its own. */
const mostHeard = 10_000;
/** No answer stands longer (spec: Inbound RTB allocation_time_seconds), nor need it be known to be over. */
const longestStandingMs = 60_000;

/**
 * Answers that stand for repeats (semantics 8.9), of this process and of those that it hears from. One that another
 * process has not told yet is not known here: then the ping is judged anew and given numbers of its own.
 */
export function createSharedRepeats(notices: Notices | null) {
  const own = createRepeats();
  const heard = new LRUCache<string, { readonly answer: PingAnswer; readonly expiresAt: number; count: number }>({
    max: mostHeard,
  });
  const taken = new LRUCache<string, true>({ max: mostHeard });

  notices?.onHeard("answer", ({ orgId, id, value, expiresAt }) => {
    const answer = pingAnswerSchema.safeParse(JSON.parse(value)).data;
    // A process of another version answers in another form.
    if (answer === undefined) return;
    const key = `${orgId} ${id}`;
    const count = heard.get(key)?.count ?? 0;
    if ((heard.get(key)?.expiresAt ?? 0) <= expiresAt) heard.set(key, { answer, expiresAt, count });
  });
  notices?.onHeard("taken", ({ orgId, id }) => {
    taken.set(`${orgId} ${id}`, true);
    own.forget(id);
  });

  function findHeard({ orgId, ...question }: Question, now: number): Repeat | null {
    if (heard.size === 0) return null;
    const known = heard.get(`${orgId} ${toId(question)}`);
    if (known === undefined || known.expiresAt <= now) return null;
    if (taken.has(`${orgId} ${known.answer.request_id}`)) return null;
    known.count += 1;
    return { answer: Promise.resolve(known.answer), label: `${known.count}-${notices?.process ?? ""}` };
  }

  return {
    /** The answer that stands for this question. */
    find(question: Question, now: number): Repeat | null {
      const found = own.find(toOwnKey(question), now);
      if (found !== null) return { answer: found.answer, label: String(found.repeat) };
      return findHeard(question, now);
    },

    /** Lets an answer stand that is being made, here and, when it is, elsewhere. */
    async keep(question: Question, now: number, made: Promise<Made>): Promise<PingAnswer> {
      const answer = await own.keep(toOwnKey(question), now, made);
      const { expiresAt } = await made;
      if (expiresAt === null) return answer;
      const { orgId } = question;
      notices?.tell({ kind: "answer", orgId, id: toId(question), slot: "", value: JSON.stringify(answer), expiresAt });
      return answer;
    },

    /** The answer to this request is no good any more, anywhere: a call came for it. */
    forget({
      orgId,
      requestId,
      now,
    }: {
      readonly orgId: string;
      readonly requestId: string;
      readonly now: number;
    }): void {
      own.forget(requestId);
      if (notices === null) return;
      taken.set(`${orgId} ${requestId}`, true);
      notices.tell({ kind: "taken", orgId, id: requestId, slot: "", value: "", expiresAt: now + longestStandingMs });
    },
  };
}

const toOwnKey = ({ orgId, endpointId, key }: Question): string => `${orgId} ${endpointId} ${key}`;

/** Parameters may be long, what a notice is about may not. */
const toId = ({ endpointId, key }: Pick<Question, "endpointId" | "key">): string =>
  `${endpointId} ${createHash("sha256").update(key).digest("base64url")}`;
