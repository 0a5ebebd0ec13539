import { type Aggregate, counting, type Measure, per, share } from "./field.ts";
import { responseTimes } from "./webhook-exchange.ts";

export const delivered = "outcome = 'delivered'";
export const failed = "outcome <> 'delivered'";

/** All attempts at one delivery share its id; records that are older than the field stand for themselves. */
const messages: Aggregate = { kind: "distinct", column: "coalesce(delivery_id, id)" };
const attemptsPerDelivery = ["attempt", "try", "webhook attempt", "delivery attempt"].flatMap((attempt) =>
  ["delivery", "webhook delivery", "message"].flatMap((each) => [
    `${attempt} per ${each}`,
    `average ${attempt} per ${each}`,
    `average number of ${attempt} per ${each}`,
    `number of ${attempt} per ${each}`,
    `how many ${attempt} per ${each}`,
  ]),
);

export const deliveryMeasures: readonly Measure[] = [
  {
    name: "deliveries",
    unit: "count",
    aggregate: { kind: "count" },
    words: [
      "webhook delivery",
      "number of webhook delivery",
      "(outgoing)? (notification/message) (sent/we sent) (to other system)?",
    ],
    definition: "Attempts at outgoing webhooks; a retry is one more.",
  },
  counting(delivered, {
    name: "delivered_attempts",
    words: ["delivered webhook", "successful webhook delivery", "successful delivery", "successful webhook"],
    definition: "Attempts that the receiver accepted.",
  }),
  counting(failed, {
    name: "failed_deliveries",
    words: [
      "failed webhook delivery",
      "failed delivery",
      "failed webhook",
      "webhook failure",
      "delivery failure",
      "webhook error",
      "outgoing webhook (error/failure)",
      "delivery error",
      "failed attempt",
      "undelivered webhook",
      "failure",
    ],
    definition: "Attempts that were not delivered, whatever the reason.",
  }),
  counting("attempt = 1", {
    name: "first_attempts",
    words: ["first attempt", "first webhook attempt", "first delivery attempt", "first try", "initial attempt"],
    definition: "First attempts; what came after them was retried.",
  }),
  counting("attempt > 1", {
    name: "retries",
    words: [
      "retry",
      "webhook retry",
      "delivery retry",
      "retried delivery",
      "retry attempt",
      "retried attempt",
      "~resend",
      "(repeated/repeat) (delivery/attempt/webhook)",
    ],
    definition: "Attempts after the first.",
  }),
  counting(`"trigger" = 'manual'`, {
    name: "redeliveries",
    words: [
      "redelivery",
      "manual redelivery",
      "manual delivery",
      "manually resent (webhook/delivery)",
      "(webhook/delivery) resent (manually/by hand)",
    ],
    definition: "Attempts that somebody asked for.",
  }),
  {
    name: "messages",
    unit: "count",
    aggregate: messages,
    words: [
      "different webhook delivery",
      "different delivery",
      "distinct delivery",
      "unique delivery",
      "unique webhook delivery",
    ],
    definition: "Different deliveries, all attempts at one counted once.",
  },
  {
    name: "attempts_per_delivery",
    unit: "number",
    aggregate: per({ kind: "count" }, messages),
    words: [
      "attempts per delivery",
      ...attemptsPerDelivery,
      "how many (attempt/try) (do/does/did) (a/one/each)? (delivery/webhook) (need/take)",
      "(average/mean)? (number of)? (attempt/try) (it takes/it took/needed) to (deliver/get through/get a delivery through)",
      "how many (attempt/try) (does/did) it take to (deliver/get through/get a delivery through)",
      "try per webhook",
    ],
    definition: "Attempts divided by the different deliveries that they were made for.",
  },
  {
    name: "notified_calls",
    unit: "count",
    aggregate: { kind: "distinct", column: "call_id" },
    words: [
      "notified call",
      "call notified",
      "call with webhook",
      "call delivered",
      "(how many)? (distinct/different)? call (did)? (our/the/outgoing/our outgoing)? (webhook/postback) (notify/notified/tell/tell anyone/told) (about/of)?",
      "(how many)? call (were/got)? notified by (a/an/our/the)? (outgoing)? (webhook/hook/postback)",
      "(how many/number of)? call we sent (a/any/the/our)? webhook for",
    ],
    definition: "Different calls that webhooks told of.",
  },
  {
    name: "active_webhooks",
    unit: "count",
    aggregate: { kind: "distinct", column: "webhook_config_name" },
    words: ["active webhook", "distinct webhook", "different webhook", "how many different webhook"],
    definition: "Different webhooks with at least one attempt.",
  },
  {
    name: "delivery_rate",
    unit: "percent",
    aggregate: share(delivered),
    words: [
      "delivery rate",
      "success rate",
      "delivery success rate",
      "webhook success rate",
      "webhook delivery rate",
      "reliability",
    ],
    definition: "Delivered attempts as a share of all attempts.",
  },
  {
    name: "delivery_failure_rate",
    unit: "percent",
    aggregate: share(failed),
    words: [
      "delivery failure rate",
      "webhook failure rate",
      "webhook error rate",
      "failure rate",
      "error rate",
      "(error/failure) percentage",
      "delivery error rate",
      "fail rate",
    ],
    definition: "Attempts that were not delivered as a share of all attempts.",
  },
  {
    name: "retry_rate",
    unit: "percent",
    aggregate: share("attempt > 1"),
    words: ["retry rate", "webhook retry rate"],
    definition: "Attempts after the first as a share of all attempts.",
  },
  ...responseTimes([
    "how (fast/quickly/quick) (do/does/did) (the/our/their)? (receiver/endpoint/server) (answer/respond/react)",
    "how (fast/slow/quick) (is/are) (the/our)? (receiver/webhook/hook)",
    "how long (do/does/did) (the/our/their)? (receiver/endpoint/server) take to (answer/respond)",
  ]),
];
