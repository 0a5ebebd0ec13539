import type { OrgConfig } from "../../config/org-config.ts";
import type { Database } from "../../database/database.ts";
import type { Peers } from "../peers/peers.ts";
import { createAllocations } from "./allocations.ts";
import type { PingAnswer } from "./answer.ts";
import { answeringOnce } from "./answer-once.ts";
import { refusalAtEntry, type SentPing, toAskedPing } from "./asked-ping.ts";
import { createEndpointRates, type Rate } from "./endpoint-rates.ts";
import { type AnswerDeps, answerPing, refuse } from "./ping.ts";
import { createPingRecorder, type PingRecorderDeps } from "./ping-recorder.ts";
import { createRepeats } from "./repeats.ts";

export interface InboundPingsDeps extends Omit<AnswerDeps, "allocations">, PingRecorderDeps {
  readonly database: Database;
  /** Null in an installation of one process. */
  readonly peers: Peers | null;
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
  const repeats = createRepeats(deps.peers);
  const rates = createEndpointRates(deps.peers);
  const recorder = createPingRecorder(deps);
  const allocations = createAllocations({
    ...deps,
    onTaken: repeats.forget,
  });
  const answerOnce = answeringOnce({
    repeats,
    recorder,
    makeAnswer: (ping) => answerPing({ ...deps, allocations }, ping),
  });

  return {
    async ping(sent: SentPing): Promise<Pinged> {
      const ping = toAskedPing(sent, clock);
      const rate = rates.count(sent.endpoint.inboundRtb, ping.now);
      const refusal = refusalAtEntry(ping, rate.isOver);
      if (refusal === "rate_limited") {
        recorder.record(ping, { outcome: "rate_limited", reason: refusal });
        return { kind: "rate_limited", rate };
      }
      if (refusal === null) return { kind: "answered", answer: await answerOnce(ping) };
      const refused = refuse(ping, refusal);
      recorder.recordAnswered(ping, refused);
      return { kind: "answered", answer: refused.answer };
    },

    /** What was promised for a call that came. */
    take: allocations.take,
    giveBack: allocations.giveBack,

    /** Forgets what is over. Pings do so as they come: this is for a process that gets none, every hour or so. */
    async tidy(): Promise<void> {
      rates.forget(clock.now());
      await allocations.sweep();
    },

    /** When no ping is running any more: hands the last records to the log. */
    async close(): Promise<void> {
      await allocations.close();
      await recorder.close();
    },
  };
}
export type InboundPings = ReturnType<typeof createInboundPings>;
