import type { OrgConfig } from "../../config/org-config.ts";
import type { Database } from "../../database/database.ts";
import type { Notices } from "../notices/notices.ts";
import { createAllocations } from "./allocations.ts";
import type { PingAnswer } from "./answer.ts";
import { type AskedPing, refusalAtEntry, type SentPing, toAskedPing } from "./asked-ping.ts";
import { createEndpointRates, type Rate } from "./endpoint-rates.ts";
import { toAskedKey } from "./parameters.ts";
import { type AnswerDeps, type Answered, answerPing, refuse } from "./ping.ts";
import { createPingRecorder, type PingRecorderDeps } from "./ping-recorder.ts";
import { createSharedRepeats } from "./shared-repeats.ts";

export interface InboundPingsDeps extends Omit<AnswerDeps, "allocations">, PingRecorderDeps {
  readonly database: Database;
  /** Null in an installation of one process. */
  readonly notices: Notices | null;
  configOf(orgId: string): OrgConfig | undefined;
  /** Told of what nobody waits for; it is tried again, or can be done without. */
  onTrouble(error: unknown): void;
}

export type Pinged =
  | { readonly kind: "answered"; readonly answer: PingAnswer }
  | { readonly kind: "rate_limited"; readonly rate: Rate };

/** Answers publishers' pings, hands out numbers for them, and knows what was promised when the call comes. */
export function createInboundPings(deps: InboundPingsDeps) {
  const { clock } = deps;
  const repeats = createSharedRepeats(deps.notices);
  const rates = createEndpointRates(deps.notices);
  const { record, recordAnswered, close } = createPingRecorder(deps);
  const allocations = createAllocations({
    ...deps,
    onTaken: (taken) => repeats.forget({ ...taken, now: clock.now() }),
  });

  async function answer(ping: AskedPing): Promise<Answered> {
    try {
      const answered = await answerPing({ ...deps, allocations }, ping);
      recordAnswered(ping, answered);
      return answered;
    } catch (error) {
      record(ping, { outcome: "error", reason: "internal_error" });
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
    record(ping, { outcome: "cached", reason: null, repeated });
    return { ...repeated.answer, cached: true };
  }

  return {
    async ping(sent: SentPing): Promise<Pinged> {
      const ping = toAskedPing(sent, clock);
      const rate = rates.count(sent.endpoint.inboundRtb, ping.now);
      const refusal = refusalAtEntry(ping, rate.isOver);
      if (refusal === "rate_limited") {
        record(ping, { outcome: "rate_limited", reason: refusal });
        return { kind: "rate_limited", rate };
      }
      if (refusal === null) return { kind: "answered", answer: await answerOnce(ping) };
      const refused = refuse(ping, refusal);
      recordAnswered(ping, refused);
      return { kind: "answered", answer: refused.answer };
    },

    /** What was promised for a call that came. */
    take: allocations.take,

    /** Forgets what is over. Pings do so as they come: this is for a process that gets none, every hour or so. */
    async tidy(): Promise<void> {
      rates.forget(clock.now());
      await allocations.sweep();
    },

    /** When no ping is running any more: hands the last records to the log. */
    async close(): Promise<void> {
      await allocations.close();
      await close();
    },
  };
}
export type InboundPings = ReturnType<typeof createInboundPings>;
