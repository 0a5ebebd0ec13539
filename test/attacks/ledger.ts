import { performance } from "node:perf_hooks";
import { type Agent, request } from "undici";
import { trackingNumber } from "./service.ts";

export interface LedgerGiven {
  readonly url: string;
  readonly key: string;
  readonly agent: Agent;
}

/** Open loop: what is slow is not asked less often. */
const callsPerSecond = 5;
const pingsPerSecond = 40;

/** Milliseconds that callers of one kind waited. */
interface Waits {
  readonly n: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  /** Answers that were not what they should be. */
  readonly failed: number;
}

/** What was asked of a platform and acknowledged by it, to be held against its history. */
export function createLedger({ url, key, agent }: LedgerGiven) {
  const placed = new Set<string>();
  let caller = 2_125_550_000;

  async function call(): Promise<boolean> {
    const { statusCode, body } = await request(`${url}/telephony/simulator/calls`, {
      method: "POST",
      dispatcher: agent,
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
      body: JSON.stringify({ from: `+1${++caller}`, to: trackingNumber }),
    });
    const answer = (await body.json()) as { call_id?: string };
    if (statusCode === 201 && answer.call_id !== undefined) placed.add(answer.call_id);
    return statusCode === 201;
  }
  async function ping(): Promise<boolean> {
    const { statusCode, body } = await request(`${url}/inbound_rtb/victim?cid=${++caller}`, { dispatcher: agent });
    const answer = (await body.json()) as { success?: boolean };
    return statusCode === 200 && answer.success === true;
  }

  return {
    /** Places calls and pings for so long, each at its own time. */
    async place(seconds: number): Promise<{ call: Waits; ping: Waits }> {
      const [calls, pings] = await Promise.all([
        atRate(call, callsPerSecond, seconds),
        atRate(ping, pingsPerSecond, seconds),
      ]);
      return { call: calls, ping: pings };
    },
    /** How much of it is in the history, and how often. */
    async audit() {
      const found = new Map<string, number>();
      for (let offset = 0; ; offset += 200) {
        const { statusCode, body } = await request(
          `${url}/api/v1/reports/calls?limit=200&offset=${offset}&sort_direction=asc`,
          { dispatcher: agent, headers: { "X-API-Key": key } },
        );
        const page = (await body.json()) as { data: { call_id: string }[]; meta: { has_more: boolean } };
        if (statusCode !== 200) return { acknowledged: placed.size, stored: 0, lost: placed.size, twice: 0 };
        for (const { call_id } of page.data) found.set(call_id, (found.get(call_id) ?? 0) + 1);
        if (!page.meta.has_more) break;
      }
      const lost = [...placed].filter((id) => !found.has(id)).length;
      const twice = [...found.values()].filter((times) => times > 1).length;
      return { acknowledged: placed.size, stored: found.size, lost, twice };
    },
  };
}
export type Ledger = ReturnType<typeof createLedger>;

async function atRate(work: () => Promise<boolean>, perSecond: number, seconds: number): Promise<Waits> {
  const waits: number[] = [];
  let failed = 0;
  const running: Promise<void>[] = [];
  const began = performance.now();
  const count = perSecond * seconds;
  for (let index = 0; index < count; index++) {
    const due = began + (index / perSecond) * 1000;
    while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    running.push(
      work()
        .catch(() => false)
        .then((isRight) => {
          if (!isRight) failed += 1;
          // From when it was due: a load that falls behind waits, too.
          waits.push(performance.now() - due);
        }),
    );
  }
  await Promise.all(running);
  waits.sort((one, other) => one - other);
  const at = (share: number) =>
    Math.round((waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0) * 10) / 10;
  return { n: waits.length, p50: at(0.5), p99: at(0.99), most: at(1), failed };
}
