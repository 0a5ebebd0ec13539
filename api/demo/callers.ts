import { areaCodesOf, stateOfNumber } from "../routing/area-codes.ts";
import type { Campaign } from "./organization.ts";
import { chance, pick, pickWeighted, type Random, wholeBetween } from "./random.ts";

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

/** The callers of the history so far. */
export interface CallerBook {
  /** Somebody new, or one of the campaign's recent callers again. */
  next(campaign: Campaign): Caller;
  called(orgId: string, caller: Caller): boolean;
  /** The newest connected call of this caller to this campaign within the duplicate window before `at`. */
  duplicateOf(campaign: Campaign, caller: Caller, at: number): string | null;
  remember(orgId: string, campaign: Campaign, caller: Caller, connected: Connected | null): void;
}

const repeatShare = 0.13;
const anonymousShare = 0.008;
/** Number of a campaign's last callers that may call again. */
const rememberedCallers = 250;
/** The default of `consider_duplicate_interval`: 30 days. */
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

export function newCaller(random: Random, campaign: Campaign): Caller {
  const state = drawState(random, campaign.states);
  const number = drawCaller(random, state);
  return { number, state: stateOfNumber(number), zip: chance(random, 0.45) ? drawZip(random, state) : null };
}

/** State, its weight (inhabitants in 100,000) and the first and last three-digit prefix of its ZIP codes. */
const states = (
  "AL 51 350 369|AK 7 995 999|AZ 75 850 865|AR 31 716 729|CA 391 900 961|CO 59 800 816|CT 36 060 069|DC 7 200 205|" +
  "DE 10 197 199|FL 230 320 342|GA 111 300 319|HI 14 967 968|ID 20 832 838|IL 125 600 629|IN 69 460 479|IA 32 500 528|" +
  "KS 29 660 679|KY 45 400 427|LA 46 700 714|ME 14 039 049|MD 62 206 219|MA 70 010 027|MI 100 480 499|MN 57 550 567|" +
  "MS 29 386 397|MO 62 630 658|MT 11 590 599|NE 20 680 693|NV 32 889 898|NH 14 030 038|NJ 93 070 089|NM 21 870 884|" +
  "NY 196 100 149|NC 108 270 289|ND 8 580 588|OH 118 430 458|OK 41 730 749|OR 42 970 979|PA 130 150 196|RI 11 028 029|" +
  "SC 54 290 299|SD 9 570 577|TN 71 370 385|TX 305 750 799|UT 34 840 847|VT 6 050 059|VA 87 220 246|WA 78 980 994|" +
  "WV 18 247 268|WI 59 530 549|WY 6 820 831"
)
  .split("|")
  .map((row) => {
    const [code = "", weight, firstZip, lastZip] = row.split(" ");
    return { code, weight: Number(weight), firstZip: Number(firstZip), lastZip: Number(lastZip) };
  });

/** Four of five callers live in the states that a campaign is meant for, if it is meant for some; the others anywhere. */
export function drawState(random: Random, focus: readonly string[]): string {
  const local = focus.length > 0 && random() < 0.8;
  const drawn = pickWeighted(random, states, ({ code, weight }) => (!local || focus.includes(code) ? weight : 0));
  return drawn?.code ?? "NY";
}

function drawZip(random: Random, state: string): string {
  const { firstZip, lastZip } = states.find(({ code }) => code === state) ?? { firstZip: 100, lastZip: 104 };
  const prefix = String(wholeBetween(random, firstZip, lastZip)).padStart(3, "0");
  return `${prefix}${String(wholeBetween(random, 1, 99)).padStart(2, "0")}`;
}

/** A number of the state in exchange 555, which has no subscribers: nobody is called by mistake. */
export function drawCaller(random: Random, state: string): string {
  const [first = "212", ...others] = areaCodesOf(state);
  const line = wholeBetween(random, 100, 9999);
  // 555-1212 is directory assistance.
  return `+1${pick(random, [first, ...others])}555${String(line === 1212 ? 1213 : line).padStart(4, "0")}`;
}
