import { setMaxListeners } from "node:events";
import { Agent, request } from "undici";
import { z } from "zod";
import type { Clock } from "../../ingest/clock.ts";
import { historyDays } from "./backfill.ts";
import { drawCaller, drawState } from "./callers.ts";
import { between, chance, exponential, logNormal, pick, pickWeighted, type Random } from "./random.ts";

export interface LiveOptions {
  /** Address of the running service, without a slash at the end. */
  readonly baseUrl: string;
  readonly organizations: readonly LiveOrganization[];
  /** Over all organizations, on average, so long after the start. */
  callsPerSecond(runningMs: number): number;
  readonly random: Random;
  readonly clock: Clock;
  /** Aborting it hangs up the open calls and ends the traffic. */
  readonly signal: AbortSignal;
  /** Called with an error of one call; the traffic goes on. */
  readonly onTrouble: (error: unknown) => void;
  /** A call beyond this many open ones is not placed. */
  readonly maxOpenCalls?: number;
}

export interface LiveOrganization {
  readonly api_key: string;
  /** Its tracking numbers, E.164. */
  readonly numbers: readonly string[];
  /** Public names of the endpoints where its publishers ask before they send a call. */
  readonly endpoints: readonly string[];
}

export interface LiveTraffic {
  openCalls(): number;
  /** Resolves once no call is open after the abort; never rejects. */
  readonly finished: Promise<void>;
}

interface Line extends LiveOptions {
  readonly agent: Agent;
}

const historySeconds = historyDays * 24 * 60 * 60;

/**
 * One call a second for half a minute, so that whoever has just started the demo sees them come in; then twice as many as
 * the history has on average, so that charts of the last days keep their shape.
 */
export const liveRate =
  (historyCalls: number): LiveOptions["callsPerSecond"] =>
  (runningMs) =>
    runningMs < 30_000 ? 1 : (2 * historyCalls) / historySeconds;

/** One request, its body included, may take so long. */
const requestTimeoutMs = 5000;

/** Calls over the real HTTP API, as a switch would place them; rings are shorter than in life. */
export function startLive(options: LiveOptions): LiveTraffic {
  const agent = new Agent({ headersTimeout: requestTimeoutMs, bodyTimeout: requestTimeoutMs, connections: 16 });
  const line: Line = { ...options, agent };
  const open = new Set<Promise<void>>();
  // Every open call listens to the one signal: their number is bounded below, so this is no leak to be warned of.
  setMaxListeners(0, options.signal);
  const { clock, random, signal, callsPerSecond, onTrouble, maxOpenCalls = 500 } = options;

  async function run(): Promise<void> {
    const startedAt = clock.now();
    while (!signal.aborted) {
      await clock.sleep(exponential(random, 1000 / callsPerSecond(clock.now() - startedAt)), signal);
      if (signal.aborted || open.size >= maxOpenCalls) continue;
      const call = liveCall(line).catch(onTrouble);
      open.add(call);
      void call.finally(() => open.delete(call));
    }
    await Promise.all(open);
    await agent.close();
  }
  return {
    openCalls: () => open.size,
    finished: run().catch(onTrouble),
  };
}

const instruction = z.object({ action: z.string() });
const placed = instruction.extend({ call_id: z.string().min(1) });

/** One call from its first ring to its end. */
async function liveCall(line: Line): Promise<void> {
  const { random } = line;
  const organization = pickWeighted(random, line.organizations, ({ numbers }) => numbers.length);
  const [first, ...others] = organization?.numbers ?? [];
  if (organization === undefined || first === undefined) return;
  const from = drawCaller(random, drawState(random, []));
  const { api_key, endpoints } = organization;
  const asks = endpoints.length > 0 && chance(random, askingShare);
  const to = asks ? await askFirst(line, endpoints, from) : pick(random, [first, ...others]);
  if (to === null) return;
  const say = poster(line, `${line.baseUrl}/telephony/simulator`, { "x-api-key": api_key });
  const call = placed.parse(await say("/calls", { from, to, tags: drawLiveTags(random) }));
  const report: Report = async (event) =>
    instruction.parse(await say(`/calls/${encodeURIComponent(call.call_id)}/events`, event));

  try {
    await ringAndTalk(line, call.action, report);
  } catch (error) {
    // Without this the service would take the caller to be still on the line, for hours.
    await report({ type: "hangup", by: "caller" }).catch(line.onTrouble);
    throw error;
  }
}

/** Share of callers whose publisher pings before it sends them. */
const askingShare = 0.3;
const offered = z.object({ eligible_routes: z.array(z.object({ number: z.string() })) });

/** Pings for the caller and returns the number to call; null when nobody wants the call. */
async function askFirst(line: Line, endpoints: readonly string[], caller_id: string): Promise<string | null> {
  const [first, ...others] = endpoints;
  if (first === undefined) return null;
  const ask = poster(line, `${line.baseUrl}/inbound_rtb`, {});
  const answer = offered.parse(await ask(`/${pick(line.random, [first, ...others])}`, { caller_id }));
  return answer.eligible_routes[0]?.number ?? null;
}

type Report = (event: object) => Promise<z.infer<typeof instruction>>;

async function ringAndTalk({ random, clock, signal }: Line, firstAction: string, report: Report): Promise<void> {
  let action = firstAction;
  while (action === "dial") {
    await clock.sleep(between(random, 500, 4000), signal);
    const type = signal.aborted ? "hangup" : drawOutcome(random);
    ({ action } = await report(type === "hangup" ? { type, by: "caller" } : { type }));
    if (type !== "answer") continue;
    // Lasts as long as calls of the history, so that the same share of them converts.
    await clock.sleep(Math.min(Math.max(logNormal(random, 100, 1.1), 3), 600) * 1000, signal);
    await report({ type: "hangup", by: chance(random, 0.65) ? "caller" : "target" });
    return;
  }
}

const outcomes = [
  { type: "answer", weight: 86 },
  { type: "no_answer", weight: 5 },
  { type: "busy", weight: 4 },
  { type: "fail", weight: 2 },
  { type: "hangup", weight: 3 },
] as const;

const drawOutcome = (random: Random) => pickWeighted(random, outcomes, ({ weight }) => weight)?.type ?? "answer";

function drawLiveTags(random: Random): Record<string, string> {
  const utm_source = pick(random, ["google", "google", "bing", "facebook", "newsletter"]);
  return { utm_source, age_band: pick(random, ["25-34", "35-44", "45-54", "55-64", "65-69", "70-74"]) };
}

function poster({ agent }: Line, base: string, headers: Readonly<Record<string, string>>) {
  return async (path: string, body: object): Promise<unknown> => {
    const { statusCode, body: answer } = await request(`${base}${path}`, {
      method: "POST",
      dispatcher: agent,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(`POST ${path} was answered ${statusCode}: ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
}
