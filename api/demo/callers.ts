import { stateOfNumber } from "../routing/area-codes.ts";
import { chance, type Random } from "./random.ts";
import type { SceneCampaign } from "./scene.ts";
import { drawCaller, drawState, drawZip } from "./states.ts";

export interface Caller {
  /** E.164, or `anonymous`. */
  readonly number: string;
  readonly state: string | null;
  /** Known when a form or a ping gave it. */
  readonly zip: string | null;
}

interface Connected {
  readonly callId: string;
  readonly at: number;
}

/** Who called before. */
export interface CallerBook {
  /** Somebody new, or one of the campaign's recent callers again. */
  next(campaign: SceneCampaign): Caller;
  called(orgId: string, caller: Caller): boolean;
  /** The newest connected call of this caller to this campaign within the duplicate window before `at`. */
  duplicateOf(campaign: SceneCampaign, caller: Caller, at: number): string | null;
  remember(orgId: string, campaign: SceneCampaign, caller: Caller, connected: Connected | null): void;
}

const repeatShare = 0.13;
const anonymousShare = 0.008;
/** So many of a campaign's last callers may call again. */
const rememberedCallers = 250;
/** consider_duplicate_interval is 30 days unless it is set (spec: Target). */
const duplicateWindowMs = 30 * 24 * 60 * 60 * 1000;

export function createCallerBook(random: Random): CallerBook {
  const recent = new Map<string, Caller[]>();
  const known = new Set<string>();
  const connectedCalls = new Map<string, Connected>();
  return {
    next(campaign) {
      const before = recent.get(campaign.id) ?? [];
      const again = chance(random, repeatShare) ? before[Math.floor(random() * before.length)] : undefined;
      if (again !== undefined) return again;
      return chance(random, anonymousShare) ? anonymous : newCaller(random, campaign);
    },
    called: (orgId, { number }) => known.has(`${orgId}/${number}`),
    duplicateOf(campaign, { number }, at) {
      const earlier = connectedCalls.get(`${campaign.id}/${number}`);
      return earlier !== undefined && at - earlier.at <= duplicateWindowMs ? earlier.callId : null;
    },
    remember(orgId, campaign, caller, connected) {
      if (caller === anonymous) return;
      known.add(`${orgId}/${caller.number}`);
      if (connected !== null) connectedCalls.set(`${campaign.id}/${caller.number}`, connected);
      const callers = recent.get(campaign.id) ?? [];
      callers.push(caller);
      if (callers.length > rememberedCallers) callers.shift();
      recent.set(campaign.id, callers);
    },
  };
}

const anonymous: Caller = { number: "anonymous", state: null, zip: null };

export function newCaller(random: Random, campaign: SceneCampaign): Caller {
  const state = drawState(random, campaign.traits.states);
  const number = drawCaller(random, state);
  return { number, state: stateOfNumber(number), zip: chance(random, 0.45) ? drawZip(random, state) : null };
}
