import { z } from "zod";
import { callSchema } from "../../ingest/call.ts";
import type { Clock } from "../../ingest/clock.ts";
import { payoutCondition } from "../../ingest/terms.ts";
import { findCall, type ReportStore } from "../../warehouse/calls/call-log.ts";
import { readCallStory } from "../../warehouse/calls/call-timeline.ts";
import { findInboundRequest, listOutboundRequests } from "../../warehouse/rtb/requests.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import type { Snapshot } from "../config/snapshot.ts";
import type { Caller } from "../serve/caller.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { may } from "../serve/rights.ts";
import { consideredRoute, toConsideredRoutes } from "./call-routes.ts";
import { callRow, toCallRow } from "./call-row.ts";
import { rulesOf, timelineRow, toTimeline } from "./call-timeline.ts";
import { callRequest, callWebhook, toCallWebhooks, toReceived } from "./call-webhooks.ts";
import { outboundRow } from "./outbound-rtb-operations.ts";
import { toOutboundRow } from "./rtb-calls.ts";
import { nameOfGroup } from "./rtb-stats.ts";

export interface CallDetailsDeps {
  readonly reports: ReportStore;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly clock: Clock;
}

const text = z.string().nullable();
const dollars = z.number().nullable().meta({ description: "Dollars." });
const storedTerms = callSchema.shape.terms;

const sideRule = z
  .object({
    condition: payoutCondition,
    condition_seconds: z.int(),
    met: z.boolean().describe("True if the call met the condition."),
    allowed: z.boolean().describe("False where an earlier call of the caller takes this side's money."),
  })
  .nullable();

const bid = outboundRow.extend({ buyer_name: text });

const details = z.object({
  call: callRow.extend({ rtb_name: text, rtb_group_name: text }),
  terms: z
    .object({
      buyer: storedTerms.shape.buyer.unwrap().describe("What the buyer pays, and from when on."),
      publisher: storedTerms.shape.publisher.unwrap().describe("What the publisher is paid, and from when on."),
      payable: z.boolean().describe("False if earlier calls of the caller waive the payout."),
      receivable: z.boolean().describe("False if earlier calls of the caller waive the revenue."),
      adjusted: z
        .object({ revenue: dollars, payout: dollars, converted: z.boolean().nullable() })
        .nullable()
        .describe("What was corrected afterwards; null of a field leaves it as it was settled."),
    })
    .nullable()
    .describe("What the call is settled on, as it was routed; null for calls that are older than its record."),
  rules: z
    .object({ receivable: sideRule, payable: sideRule })
    .nullable()
    .describe("How each side was judged; null until the call is over, and for one that was not connected."),
  routes: z.array(consideredRoute).describe("Empty for calls that are older than the record of their routing."),
  bids: z.array(bid).describe("Of the call and of the ping that it came from, oldest first."),
  ping: z
    .object({ request_id: z.string(), outcome: z.string(), reason: text, total_routes: z.int(), best_payout: dollars })
    .nullable()
    .describe("The publisher's ping that the call came from."),
  webhooks: z.array(callWebhook),
  received: z.array(callRequest),
  timeline: z.array(timelineRow),
  truncated: z.boolean().describe("True if there is more of a kind than is shown."),
  may_adjust: z.boolean().describe("True where this key or user may correct what the call is worth."),
  may_redeliver: z.boolean().describe("True where this key or user may send its webhooks again."),
});

/** Bids of one call that are shown. */
const mostBids = 500;
const dayMs = 86_400_000;

/** One call with all that is known of it, in one answer. */
export const callDetailsOperation = (deps: CallDetailsDeps): Operation =>
  defineOperation({
    method: "get",
    path: "/api/v1/reports/calls/{call_id}/details",
    tag: "Reports",
    name: "getCallDetails",
    summary: "One call whole: its route with the reasons, bids, terms, timeline, and webhooks sent and received",
    access: "api_key",
    limit: "api",
    params: z.object({ call_id: z.string().min(1).max(255) }),
    status: 200,
    answer: details,
    errors: [404, 503],
    handle: ({ caller, params: { call_id } }) => readDetails(deps, caller, call_id),
  });

async function readDetails({ reports, snapshot, clock }: CallDetailsDeps, caller: Caller, callId: string) {
  const { warehouse } = reports;
  const { orgId } = caller;
  const [found, story] = await Promise.all([findCall(reports, orgId, callId), readCallStory(warehouse, orgId, callId)]);
  if (found === null || story === null) throw notFound(`The call ${callId}`);
  const [ping, asked] = await Promise.all([
    found.inbound_request_id === null ? null : findInboundRequest(warehouse, orgId, String(found.inbound_request_id)),
    listOutboundRequests(warehouse, {
      orgId,
      filter: { callId, ...periodOf(found, clock.now()) },
      page: { limit: mostBids, offset: 0, direction: "asc" },
    }),
  ]);
  const config = snapshot.config(orgId);
  const nameOf = (group: "rtb" | "rtb_group" | "buyer", { [`${group}_id`]: id, [`${group}_name`]: name }: Row) =>
    nameOfGroup(config, group, { key: textOf(id), name: textOf(name) });
  const own = {
    call_id: callId,
    inbound_request_id: textOf(found.inbound_request_id),
    number: textOf(found.number),
    rtb_id: textOf(found.rtb_id),
  };
  const isOver = story.events.some(({ event }) => event === "call.completed");
  return {
    call: { ...toCallRow(found), rtb_name: nameOf("rtb", found), rtb_group_name: nameOf("rtb_group", found) },
    terms: termsOf(story.call),
    rules: isOver && found.connected_at !== null ? rulesOf(story.call) : null,
    routes: toConsideredRoutes({ story, ping, config }),
    bids: asked.rows.map((row) => ({
      ...toOutboundRow(row, [own]),
      rtb_name: nameOf("rtb", row),
      buyer_name: nameOf("buyer", row),
    })),
    ping: ping && {
      request_id: ping.request_id,
      outcome: ping.outcome,
      reason: ping.reason,
      total_routes: ping.total_routes,
      best_payout: ping.best_payout,
    },
    webhooks: toCallWebhooks({ story, config, now: clock.now() }),
    received: toReceived(story),
    timeline: toTimeline(story),
    truncated: story.truncated || asked.total > asked.rows.length,
    may_adjust: may(caller, "reports:write"),
    may_redeliver: may(caller, "deliveries:write"),
  };
}

const textOf = (value: Row[string] | undefined): string | null => (value == null ? null : String(value));

/** Its ping comes a minute before a call at the most; a day on either side covers clocks that differ. */
function periodOf({ started_at, ended_at }: Row, now: number): { from: Date; to: Date } {
  const ended = ended_at === null ? now : Date.parse(String(ended_at));
  return { from: new Date(Date.parse(String(started_at)) - dayMs), to: new Date(ended + dayMs) };
}

function termsOf({ terms }: Row) {
  const parsed = storedTerms.safeParse(terms);
  if (!parsed.success) return null;
  const { buyer, publisher, payable, receivable, adjusted } = parsed.data;
  return { buyer, publisher, payable, receivable, adjusted };
}
