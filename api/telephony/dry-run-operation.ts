import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { type Clock, isoTime } from "../../ingest/clock.ts";
import { callId, tags, timestamp } from "../../ingest/primitives.ts";
import { buyerTermsSchema, publisherTermsSchema } from "../../ingest/terms.ts";
import { dryRun } from "../routing/call/dry-run.ts";
import { type DryRunDeps, type DryRunRoute, dryRunVerdicts } from "../routing/call/dry-run-verdicts.ts";
import { routePlace } from "../routing/route-place.ts";
import { ValidationError } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { requirePermissions } from "../serve/rights.ts";
import { toArrival } from "./call-setup.ts";
import { type DecisionContextDeps, decisionContexts } from "./call-step.ts";
import { simulatedCaller } from "./simulator.ts";

export interface DryRunOperationDeps
  extends DecisionContextDeps,
    Pick<DryRunDeps, "peekAllocation" | "peekCallerData"> {
  readonly clock: Clock;
  readonly controls: DryRunDeps["controls"];
  /** Asks for quotes without counting them. */
  readonly quote: NonNullable<DryRunDeps["quote"]>;
  readonly checkTcpa: DryRunDeps["checkTcpa"];
  /** Asks no list outside. */
  readonly checkCachedTcpa: DryRunDeps["checkTcpa"];
}

const outcomes = ["taken", "depends_on_bids", "refused", "not_taken"] as const;
const named = z.object({ id: z.string(), name: z.string() }).nullable();
const text = z.string().nullable();

const body = z.object({
  from: simulatedCaller.describe('The caller: a phone number, a SIP address, or "anonymous".'),
  to: z.string().min(1).max(64).describe("The tracking number that is dialed."),
  caller_zip: z.string().min(1).max(16).optional(),
  caller_state: z.string().min(1).max(64).optional(),
  tags: tags.default({}),
  at: timestamp
    .optional()
    .describe("When the call would come; not in the past. Default: now. Caps and concurrency are as they stand now."),
  ask_buyers: z
    .boolean()
    .default(false)
    .describe(
      "Asks the buyers of RTB formulas for bids, and the do-not-call list that the campaign names. Nobody is told of a win, and no limit counts the requests.",
    ),
});

const terms = z.object({
  buyer: buyerTermsSchema.describe("What the buyer owes, and for which calls."),
  publisher: publisherTermsSchema.nullable().describe("What the publisher earns, and for which calls."),
  payable: z.boolean(),
  receivable: z.boolean(),
  duplicate_of: text.describe("The earlier call that makes this one a duplicate; null where it is none."),
});

const route = z.object({
  ...routePlace,
  plan_id: text.describe("Id of the routing plan; null where a call flow's menu leads here."),
  rtb_group_id: text.describe("The group that its formula bids in; null outside of one."),
  priority: z.number().nullable().describe("The route's; lower ones are tried first."),
  weight: z.number().nullable().describe("The route's share of the draws among those of its priority."),
  verdict: z
    .enum(dryRunVerdicts)
    .describe(
      "eligible: it takes the call; bid: its buyer bids for it; would_be_asked: its buyer would be asked for a bid; refused: it does not get the call.",
    ),
  reason: text.describe("Why it is refused, as in a call's timeline."),
  detail: text.describe("Whose cap or limit it is, or of which call this one is a duplicate."),
  bid: z.number().nullable().describe("Dollars."),
  score: z.number().nullable().describe("By which the bids of a group are ranked; null without an auction."),
  terms: terms.nullable().describe("The terms that the call would be settled on; null where they are not known."),
  turn: z.int().nullable().describe("1 for those that are tried first, and so on; null for the refused."),
  share: z
    .number()
    .nullable()
    .describe("From 0 to 1: how often its route comes first in its turn, by the weights of those that are open."),
});

const answer = z.object({
  at: timestamp.describe("The instant that was judged."),
  outcome: z
    .enum(outcomes)
    .describe(
      "taken: a destination takes the call; depends_on_bids: buyers would have to bid; refused: it is refused before any destination is considered; not_taken: none takes it.",
    ),
  reason: text.describe("Why it is refused or not taken, as in the call's failure_reason; else null."),
  caller_id: text.describe("In E.164; null for an anonymous caller."),
  caller_state: text,
  caller_zip: text,
  number: z.string().describe("The tracking number, in E.164 where it could be read."),
  campaign: named.describe("The campaign of the number; null where it has none."),
  publisher: named.describe("The publisher of the number, or of the ping; null without one."),
  tags: z.record(z.string(), z.string()).describe("With those that were received for the caller's next call."),
  repeat_caller: z.boolean().describe("Whether the caller has called before."),
  tcpa_result: text.describe("Result of the do-not-call list; not_asked: only with ask_buyers. null: off."),
  inbound_request_id: text.describe("The publisher's ping whose promise the call would have; null without one."),
  say: z.array(z.string()).describe("Texts that the caller would hear first."),
  routes: z
    .array(route)
    .describe("Every destination of the call's routing plan, in the order in which they are tried."),
});

/** The operation that tells who would take a call. */
export function dryRunOperation(deps: DryRunOperationDeps): Operation {
  const contextOf = decisionContexts(deps);
  return defineOperation({
    method: "post",
    path: "/api/v1/routing/dry-run",
    tag: "Routing",
    name: "dryRunRouting",
    changes: false,
    summary: "Find who would take a call, and why others would not: nothing is dialed, reserved or counted",
    access: "api_key",
    limit: "api",
    status: 200,
    body,
    example: { from: "+12125550123", to: "+18005550100", tags: { utm_source: "radio" } },
    answer,
    async handle({ caller, body: given }): Promise<z.input<typeof answer>> {
      const { orgId } = caller;
      const asksBuyers = given.ask_buyers;
      // Buyers outside are asked, and receive what is known of the caller.
      if (asksBuyers) requirePermissions(caller, ["config:write"]);
      const context = contextOf(orgId, 0);
      const now = given.at === undefined ? context.now : toInstant(given.at, context.now, asksBuyers);
      const arrival = toArrival(callId.parse(uuidv7()), given);
      const quoted = asksBuyers
        ? { quote: deps.quote, checkTcpa: deps.checkTcpa }
        : { quote: null, checkTcpa: deps.checkCachedTcpa };
      const { entry, say, routes } = await dryRun({ ...deps, ...quoted }, arrival, { ...context, now });
      const { incoming, call } = entry;
      return {
        at: isoTime(now),
        ...outcomeOf(entry.refusal, routes),
        caller_id: arrival.caller,
        caller_state: incoming.caller_state ?? null,
        caller_zip: incoming.caller_zip ?? null,
        number: call.number,
        campaign: incoming.campaign ?? null,
        publisher: call.publisher,
        tags: call.tags,
        repeat_caller: incoming.repeat_caller ?? false,
        tcpa_result: incoming.tcpa_result ?? null,
        inbound_request_id: call.inbound_request_id,
        say: [...say],
        routes: [...routes],
      };
    },
  });
}

/** A client's clock may be behind ours. */
const maxBehindMs = 60_000;

function toInstant(at: string, now: number, asksBuyers: boolean): number {
  const instant = Date.parse(at);
  const issue = (msg: string) => new ValidationError([{ loc: ["body", "at"], msg, type: "value_error", input: at }]);
  if (instant < now - maxBehindMs) {
    throw issue("must not lie in the past: why a past call went where it did is in its timeline");
  }
  if (asksBuyers) throw issue("cannot be given with ask_buyers: buyers bid for a call that comes now");
  return Math.max(instant, now);
}

function outcomeOf(refusal: string | null, routes: readonly DryRunRoute[]) {
  if (refusal !== null) return { outcome: "refused", reason: refusal } as const;
  const isTaken = routes.some(({ verdict }) => verdict === "eligible" || verdict === "bid");
  if (isTaken) return { outcome: "taken", reason: null } as const;
  const mayBeTaken = routes.some(({ verdict }) => verdict === "would_be_asked");
  if (mayBeTaken) return { outcome: "depends_on_bids", reason: null } as const;
  return { outcome: "not_taken", reason: routes.length === 0 ? "flow_ended" : "no_eligible_route" } as const;
}
