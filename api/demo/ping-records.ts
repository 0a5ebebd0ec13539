import { isoTime } from "../../ingest/clock.ts";
import type { InboundRtbRequest, OutboundRtbRequest } from "../../ingest/rtb.ts";
import type { TraceLine } from "../../ingest/trace.ts";
import type { Execution, Question } from "./ask-buyers.ts";
import { slug } from "./attribution.ts";

type Offered = InboundRtbRequest["eligible_routes"][number];
type Withheld = InboundRtbRequest["ineligible_routes"][number];
type Step = OutboundRtbRequest["steps"][number];

/** How long a number is held for the caller: longer than any call of the demo comes after its question, in ms. */
const heldMs = 60_000;

/** Every route that a question could be offered, best first. */
export function rankRoutes(
  { campaign }: Question,
  executions: readonly Execution[],
  payoutOf: (revenue: number) => number,
): Offered[] {
  const bids = executions.filter(({ bid }) => bid > 0);
  return [
    ...campaign.routes.map(({ id, target }) => ({
      route_id: id,
      destination_type: "target",
      destination_id: target.id,
      buyer_id: target.buyer.id,
      payout: payoutOf(target.terms.revenue),
      revenue: target.terms.revenue,
    })),
    ...bids.map(({ formula, bid }) => ({
      route_id: null,
      destination_type: "rtb_formula",
      destination_id: formula.id,
      buyer_id: formula.target.buyer.id,
      payout: payoutOf(bid),
      revenue: bid,
    })),
  ].toSorted((one, other) => other.payout - one.payout);
}

/** The buyers that made no bid, and the plan's own routes where `reason` kept them all out. */
export function withheldRoutes(
  { campaign }: Question,
  executions: readonly Execution[],
  reason: string | null,
): Withheld[] {
  // Only a buyer can fail to bid: then it was the hour that kept the targets out.
  const ofTargets = reason === "no_bid" ? "closed" : reason;
  const targets = ofTargets === null ? [] : campaign.routes;
  return [
    ...targets.map(({ id, target }) => ({
      route_id: id,
      destination_type: "target",
      destination_id: target.id,
      reason: ofTargets ?? "",
      detail: null,
      bid: null,
    })),
    ...executions.flatMap(({ formula, bid, reason: refusal }) =>
      bid > 0 || refusal === null
        ? []
        : {
            route_id: null,
            destination_type: "rtb_formula",
            destination_id: formula.id,
            reason: refusal,
            detail: null,
            bid: null,
          },
    ),
  ];
}

export const allocationsOf = ({ at, item }: Question, given: readonly Offered[]): InboundRtbRequest["allocations"] =>
  given.map(({ route_id }) => ({ number: item.number, route_id, expires_at: isoTime(at + heldMs) }));

/** What happened between the question and its answer, in the few lines that tell them apart. */
export function lifeLogOf(
  { at }: Question,
  record: Omit<InboundRtbRequest, "life_log">,
  executions: readonly Execution[],
): TraceLine[] {
  const after = (ms: number) => isoTime(Math.floor(at + ms));
  const { processing_ms, outcome, total_routes, allocations } = record;
  const results = executions.filter((execution) => execution.outcome !== "skipped");
  return [
    { occurred_at: after(0), event: "ping.received", detail: {} },
    ...results
      .toSorted((one, other) => one.ms - other.ms)
      .map(({ formula, reason, bid, ms }) => ({
        occurred_at: after(ms),
        event: "ping.result" as const,
        detail: { rtb_id: formula.id, rtb_name: formula.name, outcome: reason ?? "bid", bid: bid > 0 ? bid : null },
      })),
    ...allocations.map(({ number, route_id }) => ({
      occurred_at: after(processing_ms),
      event: "number.allocated" as const,
      detail: { number, route_id },
    })),
    { occurred_at: after(processing_ms), event: "ping.answered", detail: { outcome, total_routes } },
  ];
}

/** The one request that each of the demo's formulas makes, and what came back. */
export function stepsOf({ caller }: Question, execution: Execution): Step[] {
  if (execution.outcome === "skipped") return [];
  const { formula, ms } = execution;
  return [
    {
      index: 0,
      attempt: 1,
      method: "POST",
      url: `https://bids.${slug(formula.target.buyer.name)}.example/ping`,
      request_headers: { "content-type": "application/json", authorization: "***" },
      request_body: JSON.stringify({ caller: caller.number, zip: caller.zip }),
      ...answerOf(execution),
      truncated: false,
      duration_ms: ms,
      unresolved: caller.zip === null ? ["zip"] : [],
      script_skipped: false,
    },
  ];
}

const answer = (status_code: number | null, response_body: string | null, error: string | null = null) => ({
  status_code,
  response_body,
  error,
});

function answerOf({ outcome, reason, bid, seconds, formula }: Execution): ReturnType<typeof answer> {
  switch (outcome) {
    case "bid":
      return answer(200, JSON.stringify({ bid, duration: seconds, phone_number: formula.target.destination }));
    case "timeout":
      return answer(null, null, "No complete answer in time.");
    case "http_error":
      return reason === "ping_unreachable"
        ? answer(null, null, "connect ECONNREFUSED")
        : answer(503, "Service Unavailable", "The buyer answered with status 503.");
    case "parse_error":
      return answer(200, "<html>OK</html>", "The answer has a bid that is no amount.");
    default:
      return reason === "not_accepted"
        ? answer(200, '{"accepted":false}', "The answer does not fulfil the step's target_selection_criteria.")
        : answer(200, '{"bid":0}');
  }
}
