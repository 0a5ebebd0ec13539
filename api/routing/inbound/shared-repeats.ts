import type { Notices } from "../notices/notices.ts";
import type { PingAnswer } from "./answer.ts";
import { createHeardAnswers, type Question, type Repeat } from "./heard-answers.ts";
import { createRepeats } from "./repeats.ts";

/** What a ping was answered; `expiresAt` is null where it gave no number. */
interface Made {
  readonly answer: PingAnswer;
  readonly expiresAt: number | null;
}

/**
 * Answers that stand for repeats (semantics 8.9), of this process and of those that it hears from. One that another
 * process has not told yet is not known here: then the ping is judged anew and given numbers of its own.
 */
export function createSharedRepeats(notices: Notices | null) {
  const own = createRepeats();
  const heard = notices && createHeardAnswers(notices, own.forget);

  return {
    /** The answer that stands for this question. */
    find(question: Question, now: number): Repeat | null {
      const found = own.find(toOwnKey(question), now);
      if (found !== null) return { answer: found.answer, label: String(found.repeat) };
      return heard?.find(question, now) ?? null;
    },

    /** Lets an answer stand that is being made, here and, when it is, elsewhere. */
    async keep(question: Question, now: number, made: Promise<Made>): Promise<PingAnswer> {
      const answer = await own.keep(toOwnKey(question), now, made);
      const { expiresAt } = await made;
      if (expiresAt !== null) heard?.tell(question, answer, expiresAt);
      return answer;
    },

    /** The answer to this request is no good any more, anywhere: a call came for it. */
    forget(request: { readonly orgId: string; readonly requestId: string; readonly now: number }): void {
      own.forget(request.requestId);
      heard?.tellTaken(request);
    },
  };
}

const toOwnKey = ({ orgId, endpointId, key }: Question): string => `${orgId} ${endpointId} ${key}`;
