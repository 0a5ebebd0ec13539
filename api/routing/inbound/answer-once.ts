import type { PingAnswer } from "./answer.ts";
import type { AskedPing } from "./asked-ping.ts";
import { toAskedKey } from "./parameters.ts";
import type { Answered } from "./ping.ts";
import type { createPingRecorder } from "./ping-recorder.ts";
import type { createRepeats } from "./repeats.ts";

interface AnswerOnceDeps {
  readonly repeats: Pick<ReturnType<typeof createRepeats>, "find" | "keep">;
  readonly recorder: Pick<ReturnType<typeof createPingRecorder>, "record" | "recordAnswered">;
  makeAnswer(ping: AskedPing): Promise<Answered>;
}

/** Answers pings, each with its record; one that repeats a question has the answer that stands for it. */
export function answeringOnce({ repeats, recorder, makeAnswer }: AnswerOnceDeps) {
  async function answer(ping: AskedPing): Promise<Answered> {
    try {
      const answered = await makeAnswer(ping);
      recorder.recordAnswered(ping, answered);
      return answered;
    } catch (error) {
      recorder.record(ping, { outcome: "error", reason: "internal_error" });
      throw error;
    }
  }

  /** Nobody is the same caller as nobody: a ping that names none is a question of its own. */
  async function answerOnce(ping: AskedPing): Promise<PingAnswer> {
    const { endpoint, now, caller, parameters } = ping;
    if (caller === null) return (await answer(ping)).answer;
    const asked = { ...parameters, caller };
    const { config, inboundRtb } = endpoint;
    const question = { orgId: config.organization.id, endpointId: inboundRtb.id, key: toAskedKey(asked) };
    const found = repeats.find(question, now);
    if (found === null) return repeats.keep(question, now, answer(ping));
    const repeated = { answer: await found.answer, label: found.label };
    recorder.record(ping, { outcome: "cached", reason: null, repeated });
    return { ...repeated.answer, cached: true };
  }

  return answerOnce;
}
