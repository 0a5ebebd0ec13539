import { z } from "zod";
import { deliveryOutcomes } from "../../ingest/delivery.ts";
import { callEventNames } from "../../ingest/event.ts";
import type { HistoryFilter } from "../../warehouse/history/filter.ts";
import { incomingWebhook } from "../config/resources/incoming-webhook.ts";
import { cursorPageQuery, refuseQuery } from "../serve/cursor-pages.ts";
import { unboundedTimeQuery } from "../serve/time-range.ts";

const costs =
  "A narrowed list is counted when it is asked for and costs more than a whole one: give a time range, too.";
const narrowed = (what: string): string => `${what} ${costs}`;
const id = z.string().min(1).max(255).optional();

const status = z
  .string()
  .regex(/^(?:[1-5]\d\d|[1-5]xx|none)$/i, "must be a status such as 404, a class such as 5xx, or none")
  .transform((text): HistoryFilter["status"] => {
    if (text.toLowerCase() === "none") return "none";
    const from = Number(text.toLowerCase().replace("xx", "00"));
    return { from, to: from + (/xx$/i.test(text) ? 100 : 1) };
  });

const historyQuery = cursorPageQuery.extend({
  ...unboundedTimeQuery,
  webhook_id: id.describe(narrowed("Records of one webhook.")),
  call_id: id.describe(narrowed("Records of one call.")),
  response_status: status
    .optional()
    .describe(narrowed("A status such as 404, a class such as 5xx, or none where no answer came.")),
  text: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      narrowed(
        "A part of the address, the body, the answer's body, the webhook's name, the call's id or, of what was received, the transaction's, whatever the case of its letters.",
      ),
    ),
});
type NarrowingQuery = Omit<z.output<typeof historyQuery>, keyof z.output<typeof cursorPageQuery>>;

export const outgoingQuery = historyQuery.extend({
  event_type_id: z.enum(callEventNames).optional().describe(narrowed("Records of one type of event.")),
  outcome: z.enum(deliveryOutcomes).optional().describe(narrowed("How the attempt ended.")),
});
export const incomingQuery = historyQuery.extend({
  type: incomingWebhook.writable.shape.type.unwrap().optional().describe(narrowed("Records of one type of webhook.")),
  transaction_id: id.describe(narrowed("Requests of one transaction.")),
});

/** The filter of both histories; without a time range unless one is given. */
export function toHistoryFilter(query: NarrowingQuery): HistoryFilter {
  const { start_date, end_date, webhook_id, call_id, response_status, text } = query;
  const [from, to] = [start_date, end_date].map((date) => (date === undefined ? undefined : new Date(date)));
  if (from && to && from > to) throw refuseQuery("start_date", "start_date lies after end_date.");
  return { from, to, webhookId: webhook_id, callId: call_id, status: response_status, text };
}
