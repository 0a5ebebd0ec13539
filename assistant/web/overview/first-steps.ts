import type { FirstSteps } from "./overview.ts";

/** A request that brings an organization closer to its first call. */
export type StepRequest = {
  readonly title: string;
  readonly isDone: boolean;
  readonly method: "POST" | "PATCH";
  readonly path: string;
  readonly body: unknown;
};

export type Step = { readonly title: string; readonly text: string; readonly requests: readonly StepRequest[] };

const post = (title: string, isDone: boolean, path: string, body: unknown): StepRequest => ({
  title,
  isDone,
  method: "POST",
  path,
  body,
});

const idOf = (thing: { readonly id: string } | null, otherwise: string): string => thing?.id ?? otherwise;

/** Stands in a request for the id of what an earlier one makes. */
const ids = {
  number: "NUMBER_ID",
  publisher: "PUBLISHER_ID",
  buyer: "BUYER_ID",
  target: "TARGET_ID",
  plan: "PLAN_ID",
  campaign: "CAMPAIGN_ID",
};

/** The way to the first call, its requests with the ids of what is there already. */
export const stepsOf = ({
  number,
  publisher,
  buyer,
  target,
  routing_plan,
  campaign,
  call,
  webhook,
}: FirstSteps): readonly Step[] => {
  const events = `/telephony/simulator/calls/${call?.call_id ?? "CALL_ID"}/events`;
  const attached = campaign?.outgoing_webhooks ?? [];
  const hasAnswered = call !== null && call.status !== "incoming";
  const hasEnded = hasAnswered && call.status !== "connected";
  return [
    {
      title: "A tracking number",
      text: "The number that callers dial. Put one of your own in its place; the simulator takes any.",
      requests: [post("Add the number", number !== null, "/api/v1/numbers", { number: "+18005550142" })],
    },
    {
      title: "A campaign",
      text: "It joins the number, handed to a publisher, to a routing plan, which sends its calls to a buyer's target.",
      requests: [
        post("Add a publisher", publisher !== null, "/api/v1/publishers", { name: "First publisher" }),
        post("Add a buyer", buyer !== null, "/api/v1/buyers", { name: "First buyer" }),
        post("Add the buyer's target", target !== null, "/api/v1/targets", {
          name: "First target",
          buyer_id: idOf(buyer, ids.buyer),
          type: "number",
          number: "+18885550101",
          revenue: 30,
        }),
        post("Add a routing plan", routing_plan !== null, "/api/v1/routing-plans", {
          name: "First plan",
          routes: [{ action: "route-to-target", target_id: idOf(target, ids.target), priority: 1 }],
        }),
        post("Add the campaign", campaign !== null, "/api/v1/campaigns", {
          name: "First campaign",
          routing_plan_id: idOf(routing_plan, ids.plan),
          payout: 20,
          number_group_items: [{ number_id: idOf(number, ids.number), publisher_id: idOf(publisher, ids.publisher) }],
        }),
      ],
    },
    {
      title: "A test call",
      text: "The simulator stands in for a carrier: no telephone rings.",
      requests: [
        post("A caller dials the number", call !== null, "/telephony/simulator/calls", {
          from: "+12125550123",
          to: number?.number ?? "+18005550142",
        }),
        post("The target answers", hasAnswered, events, { type: "answer" }),
        post("The caller hangs up", hasEnded, events, { type: "hangup" }),
      ],
    },
    {
      title: "A webhook",
      text: "Tells a system of yours of each call that has ended. Put its address in place of the example's.",
      requests: [
        post("Add the webhook", webhook !== null, "/api/v1/outgoing-webhooks", {
          name: "Tell our system",
          event_type_id: "call.completed",
          url: "https://crm.example/calls",
          body: { call: "[CALL_ID]", revenue: "[REVENUE_PAID_OUT]" },
        }),
        {
          title: "Name it in the campaign",
          isDone: webhook?.is_attached === true,
          method: "PATCH",
          path: `/api/v1/campaigns/${idOf(campaign, ids.campaign)}`,
          // The list is replaced as a whole.
          body: { outgoing_webhooks: [...new Set([...attached, idOf(webhook, "WEBHOOK_ID")])] },
        },
      ],
    },
  ];
};
