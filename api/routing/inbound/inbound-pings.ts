import type { Clock } from "../../../ingest/clock.ts";
import type { Tracing } from "../../../ingest/tracing.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { Resource } from "../../config/registry.ts";
import type { Database } from "../../database/database.ts";
import { stampMessages } from "../../tracing/trace-publishing.ts";
import type { Peers } from "../peers/peers.ts";
import { createRateWindows } from "../peers/rate-windows.ts";
import { createAdaptiveLimit } from "./adaptive-limit.ts";
import { createAllocations } from "./allocations.ts";
import { type AskedPing, refusalAtEntry, type SentPing, toAskedPing } from "./asked-ping.ts";
import { toAskedKey } from "./parameters.ts";
import { type AnswerDeps, type Answered, answerPing, refuse } from "./ping.ts";
import type { PingAnswer } from "./ping-response.ts";
import { createRepeats } from "./ping-response-cache.ts";
import { type Recorded, toMessages } from "./record.ts";
import { createRecordBuffer, type RecordBufferDeps } from "./record-buffer.ts";

export interface InboundPingsDeps extends Omit<AnswerDeps, "allocations">, RecordBufferDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Null in an installation of one process. */
  readonly peers: Peers | null;
  readonly tracing?: Tracing | null;
  configOf(orgId: string): OrgConfig | undefined;
  /** Called with the outcome of each ping. */
  onAnswered?(outcome: Recorded["outcome"] | "shed"): void;
  /** Called with errors of work that nobody waits for; it is tried again, or can be done without. */
  onTrouble(error: unknown): void;
}

export type Pinged =
  | { readonly kind: "answered"; readonly answer: PingAnswer }
  | { readonly kind: "rate_limited"; readonly rate: Rate };

/**
 * Pings in flight: as many as let work wait for the event loop by no more than this, which each step of a call does, too.
 * At its best rate a process with 16 auctions at once has a delay of 6 ms, and with 200 at once one of 30 ms at less of a rate.
 */
const inFlight = { targetMs: 12, least: 32, first: 100, most: 2000 };

/** Answers publishers' pings, hands out numbers for them, and knows what was promised when the call comes. */
export function createInboundPings(deps: InboundPingsDeps) {
  const { clock, tracing = null } = deps;
  const repeats = createRepeats(deps.peers);
  const rates = createEndpointRates(deps.peers);
  const records = createRecordBuffer(deps);
  const allocations = createAllocations({ ...deps, onTaken: repeats.forget });
  const answerDeps = { ...deps, allocations };
  const limit = createAdaptiveLimit(inFlight);

  function admitted(isAdmitted: boolean): boolean {
    if (!isAdmitted) deps.onAnswered?.("shed");
    return isAdmitted;
  }

  /** Records how a ping was answered, after its answer: whoever asked has waited long enough. */
  function record(ping: AskedPing, recorded: Omit<Recorded, "answeredAt">): void {
    const { outcome, reason } = recorded;
    const answeredAt = clock.now();
    deps.onAnswered?.(outcome);
    ping.trace.note("ping.answered", { outcome, reason });
    setImmediate(() => records.add(stampMessages(tracing, toMessages(ping, { ...recorded, answeredAt }))));
  }

  const recordAnswered = (ping: AskedPing, answered: Answered): void =>
    record(ping, { outcome: answered.outcome, reason: answered.reason, answered });

  async function answer(ping: AskedPing): Promise<Answered> {
    try {
      const answered = await answerPing(answerDeps, ping);
      recordAnswered(ping, answered);
      return answered;
    } catch (error) {
      record(ping, { outcome: "error", reason: "internal_error" });
      throw error;
    }
  }

  /**
   * A ping that repeats a question is given the answer that stands for it. Nobody is the same caller as nobody: one that
   * names none is a question of its own.
   */
  async function answerOnce(ping: AskedPing): Promise<PingAnswer> {
    const { endpoint, now, caller, parameters } = ping;
    if (caller === null) return (await answer(ping)).answer;
    const { config, inboundRtb } = endpoint;
    const key = toAskedKey({ ...parameters, caller });
    const question = { orgId: config.organization.id, endpointId: inboundRtb.id, key };
    const found = repeats.find(question, now);
    if (found === null) return repeats.keep(question, now, answer(ping));
    const repeated = { answer: await found.answer, label: found.label };
    record(ping, { outcome: "cached", reason: null, repeated });
    return { ...repeated.answer, cached: true };
  }

  return {
    /** Returns false for a request that is too much now: it is counted, and that is all. */
    hasRoom: (): boolean => admitted(limit.hasRoom()),
    /** Returns false as `hasRoom` does. For any other request `leave` must follow when it has been answered. */
    enter: (): boolean => admitted(limit.enter()),
    leave: limit.leave,

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

    /** Takes a delay of the event loop: while it is long, fewer pings are answered at once. */
    observeDelay: limit.observe,

    /** Returns the promise for a call that came. */
    take: allocations.take,
    peek: allocations.peek,
    giveBack: allocations.giveBack,

    /** Forgets what is over. Pings do so as they come: this is for a process that gets none, every hour or so. */
    async tidy(): Promise<void> {
      rates.forget(clock.now());
      await allocations.sweep();
    },

    /** Answers the pings in flight and hands the last records to the log; called when no more pings come. */
    async close(): Promise<void> {
      await limit.idle();
      await allocations.close();
      await new Promise((resolve) => setImmediate(resolve));
      await records.close();
    },
  };
}
export type InboundPings = ReturnType<typeof createInboundPings>;

export interface Rate {
  readonly isOver: boolean;
  readonly limit: number;
  /** Whole seconds after which another ping may pass; 0 where this one did. */
  readonly retryAfterSeconds: number;
}

/**
 * The rate limits of endpoints, in a window that slides; pings beyond its limit do not count. Those
 * that other processes count are known a moment later: until then, more than the limit may pass.
 */
export function createEndpointRates(peers: Peers | null = null) {
  const windows = createRateWindows("inbound_rate", peers);

  return {
    count(inboundRtb: Resource<"inbound_rtb">, now: number): Rate {
      const { org_id: orgId, id, rate_limit: limit, rate_period: period } = inboundRtb;
      const window = windows.of({ orgId, id, period });
      if (window.count(now) < limit) {
        window.add(now, limit);
        return { isOver: false, limit, retryAfterSeconds: 0 };
      }
      const waitMs = (window.nextLeavesAt() ?? now) - now;
      return { isOver: true, limit, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
    },

    /** Forgets endpoints that nothing counts for any more, such as deleted ones; returns how many are left. */
    forget: windows.forget,
  };
}
