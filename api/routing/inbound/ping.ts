import { type Clock, isoTime } from "../../../ingest/clock.ts";
import { callRefusal, planRefusal } from "../call-eligibility.ts";
import { type TcpaQuestion, type TcpaResult, tcpaRefusal } from "../tcpa.ts";
import type { AllocatedNumber } from "./allocate.ts";
import type { Allocations } from "./allocations.ts";
import { type AskPlanDeps, askPlan } from "./ask-plan.ts";
import { type AskedPing, type PingRefusal, subjectOf } from "./asked-ping.ts";
import { poolsOf } from "./number-pools.ts";
import { type OfferedRoute, toOfferedRoutes } from "./offered-routes.ts";
import { isUnasked, type Left, leftOf, type PingAnswer, toIneligible } from "./ping-response.ts";

export interface AnswerDeps extends AskPlanDeps {
  checkTcpa(question: TcpaQuestion): Promise<TcpaResult>;
  readonly allocations: Pick<Allocations, "allocate">;
  readonly clock: Clock;
  /** True if nothing is offered that pays more than it earns. */
  readonly noLoss: boolean;
}

/** A route that was offered, with the number that stands for it. */
export interface AllocatedRoute extends AllocatedNumber {
  readonly route: OfferedRoute;
}

/** The answer to a ping, with what its record needs. */
export interface Answered {
  readonly answer: PingAnswer;
  readonly outcome: "routes" | "no_routes" | "refused";
  readonly reason: string | null;
  readonly given: readonly AllocatedRoute[];
  readonly left: readonly Left[];
  /** When what was given ends; null where nothing was. */
  readonly expiresAt: number | null;
}

/** Judges a ping that has passed the entry, asks the plan's routes and hands out numbers. */
export async function answerPing(deps: AnswerDeps, ping: AskedPing): Promise<Answered> {
  const { config, inboundRtb } = ping.endpoint;
  const { campaign, caller, trace } = ping;
  if (campaign === undefined) return refuse(ping, "campaign_inactive");
  const result = caller === null ? "off" : await deps.checkTcpa({ config, campaign, caller });
  if (result !== "off") trace.note("tcpa.checked", { result });
  const subject = subjectOf(ping, { tcpa: tcpaRefusal(result) });
  const early = subject && callRefusal(subject, deps.statsOf(config.organization.id));
  if (early !== null) return refuse(ping, early);
  const plan = config.get("routing_plan", campaign.routing_plan_id);
  const closed = planRefusal(plan, inboundRtb.publisher_id);
  if (plan === undefined || closed !== null) return refuse(ping, closed ?? "no_routing_plan");
  trace.note("plan.selected", { routing_plan_id: plan.id });
  const asked = await askPlan(deps, ping, { plan, campaign });
  const { offered, withheld } = toOfferedRoutes(asked.quotes, inboundRtb, deps);
  const left = [...asked.left, ...withheld.map(({ quote, reason }) => leftOf(quote, reason)), ...asked.lost];
  noteLeft(ping, left);
  return hand(ping, { offered, left, given: await allocate(deps, ping, offered) });
}

/** A line for each route that was asked in vain, and one with the number of the others by reason. */
function noteLeft({ trace }: AskedPing, left: readonly Left[]): void {
  const unasked: Record<string, number> = {};
  for (const each of left) {
    if (isUnasked(each)) unasked[each.reason] = (unasked[each.reason] ?? 0) + 1;
    else trace.note("route.skipped", { ...each });
  }
  if (Object.keys(unasked).length > 0) trace.note("routes.refused", unasked);
}

/** A plan may have a thousand routes; nobody dials so many numbers for one caller. */
const mostOffered = 200;

async function allocate(
  deps: AnswerDeps,
  ping: AskedPing,
  offered: readonly OfferedRoute[],
): Promise<AllocatedRoute[]> {
  const { config, inboundRtb } = ping.endpoint;
  const { receive_mode, receive_number_id, campaign_id, publisher_id } = inboundRtb;
  if (offered.length > 0) ping.trace.note("routes.offered", { count: offered.length });
  const routes = offered.slice(0, receive_mode === "static_standard" ? 1 : mostOffered);
  const receiver = receive_mode === "dynamic" ? null : config.get("number", receive_number_id)?.number;
  if (routes.length === 0 || receiver === undefined) return [];
  const given = await deps.allocations.allocate({
    orgId: config.organization.id,
    allocationMs: inboundRtb.allocation_time_seconds * 1000,
    request: {
      request_id: ping.requestId,
      inbound_rtb_id: publicIdOf(ping),
      receive_mode,
      campaign_id,
      publisher_id,
      caller: ping.caller,
      zip: ping.location.zip,
      state: ping.location.state,
      tags: ping.parameters.tags,
      quotes: routes.map(({ quote }) => quote),
    },
    count: receiver === null ? routes.length : 1,
    from:
      receiver === null ? { kind: "pools", pools: poolsOf(config, inboundRtb) } : { kind: "number", number: receiver },
  });
  const [one] = given;
  // Its record has the routes and their numbers.
  if (one !== undefined) {
    ping.trace.note("numbers.allocated", { count: given.length, expires_at: isoTime(one.expiresAt) });
  }
  // A receive number stands for all that were offered.
  if (receiver !== null) return one === undefined ? [] : routes.map((route, place) => ({ ...one, place, route }));
  return given.flatMap((each) => {
    const route = routes[each.place];
    return route === undefined ? [] : [{ ...each, route }];
  });
}

interface Handed {
  readonly offered: readonly OfferedRoute[];
  readonly left: readonly Left[];
  readonly given: readonly AllocatedRoute[];
}

function hand(ping: AskedPing, { offered, left, given }: Handed): Answered {
  const numbered = new Set(given.map(({ route }) => route));
  const isStandard = ping.endpoint.inboundRtb.receive_mode === "static_standard";
  const without = isStandard && given.length > 0 ? [] : offered.filter((route) => !numbered.has(route));
  const all = [...left, ...without.map(({ quote }) => leftOf(quote, "no_numbers"))];
  const isOffered = given.length > 0;
  return {
    answer: {
      ...toAnswer(ping, true),
      eligible_routes: given.map(({ number, route }) => ({
        number,
        payout: route.payout,
        duration: route.duration,
        payout_condition: route.payout_condition,
        payout_condition_duration: route.payout_condition_duration,
      })),
      total_routes: offered.length,
      allocated_count: given.length,
      ...ineligibleIn(ping, all),
    },
    outcome: isOffered ? "routes" : "no_routes",
    given,
    left: all,
    reason: isOffered ? null : (all.at(offered.length > 0 ? -1 : 0)?.reason ?? "no_routes"),
    expiresAt: given[0]?.expiresAt ?? null,
  };
}

function ineligibleIn({ campaign, endpoint }: AskedPing, left: readonly Left[]): Partial<PingAnswer> {
  if (!campaign?.expose_ineligible_routes) return {};
  return { ineligible_routes: toIneligible(left, campaign.ineligible_routes_fields, endpoint.config) };
}

const publicIdOf = ({ endpoint: { inboundRtb } }: AskedPing): string => inboundRtb.inbound_rtb_id ?? "";

const toAnswer = (ping: AskedPing, success: boolean): PingAnswer => ({
  success,
  request_id: ping.requestId,
  inbound_rtb_id: publicIdOf(ping),
  allocation_time_seconds: ping.endpoint.inboundRtb.allocation_time_seconds,
  eligible_routes: [],
  total_routes: 0,
  allocated_count: 0,
  timestamp: isoTime(ping.now),
});

const sentences: Partial<Record<PingRefusal, string>> = {
  caller_id_invalid: "caller_id can be no phone number: send it in E.164, like +12125550123.",
  caller_id_required: "This endpoint receives all calls on one number: send the caller_id of who will call.",
};

/** An answer without routes, for a reason that lies before any of them. */
export function refuse(ping: AskedPing, code: PingRefusal): Answered {
  const error = { code, message: sentences[code] ?? `No route is open to this ping: ${code.replaceAll("_", " ")}.` };
  return {
    answer: { ...toAnswer(ping, false), error },
    outcome: "refused",
    reason: code,
    given: [],
    left: [],
    expiresAt: null,
  };
}
