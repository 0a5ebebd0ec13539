import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Notices } from "../notices/notices.ts";
import { type PingAnswer, pingAnswerSchema } from "./answer.ts";

/** What a ping asks, where. */
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

/** Some 30 MB with twenty routes each, as many as a process keeps of its own. */
const mostHeard = 10_000;
/** No answer stands longer (spec: Inbound RTB allocation_time_seconds), nor need it be known to be over. */
const longestStandingMs = 60_000;

interface Taken {
  readonly orgId: string;
  readonly requestId: string;
  readonly now: number;
}

/** Answers that other processes gave, as far as they have told of them; `onTaken` is told of requests whose call came. */
export function createHeardAnswers(notices: Notices, onTaken: (requestId: string) => void) {
  const heard = new LRUCache<string, { readonly answer: PingAnswer; readonly expiresAt: number; count: number }>({
    max: mostHeard,
  });
  const taken = new LRUCache<string, true>({ max: mostHeard });

  notices.onHeard("answer", ({ orgId, id, value, expiresAt }) => {
    const answer = pingAnswerSchema.safeParse(JSON.parse(value)).data;
    // A process of another version answers in another form.
    if (answer === undefined) return;
    const key = `${orgId} ${id}`;
    const count = heard.get(key)?.count ?? 0;
    if ((heard.get(key)?.expiresAt ?? 0) <= expiresAt) heard.set(key, { answer, expiresAt, count });
  });
  notices.onHeard("taken", ({ orgId, id }) => {
    taken.set(`${orgId} ${id}`, true);
    onTaken(id);
  });

  return {
    find({ orgId, ...question }: Question, now: number): Repeat | null {
      if (heard.size === 0) return null;
      const known = heard.get(`${orgId} ${toId(question)}`);
      if (known === undefined || known.expiresAt <= now) return null;
      if (taken.has(`${orgId} ${known.answer.request_id}`)) return null;
      known.count += 1;
      return { answer: Promise.resolve(known.answer), label: `${known.count}-${notices.process}` };
    },
    tell({ orgId, ...question }: Question, answer: PingAnswer, expiresAt: number): void {
      const value = JSON.stringify(answer);
      notices.tell({ kind: "answer", orgId, id: toId(question), slot: "", value, expiresAt });
    },
    tellTaken({ orgId, requestId, now }: Taken): void {
      taken.set(`${orgId} ${requestId}`, true);
      notices.tell({ kind: "taken", orgId, id: requestId, slot: "", value: "", expiresAt: now + longestStandingMs });
    },
  };
}

/** Parameters may be long, what a notice is about may not. */
const toId = ({ endpointId, key }: Pick<Question, "endpointId" | "key">): string =>
  `${endpointId} ${createHash("sha256").update(key).digest("base64url")}`;
