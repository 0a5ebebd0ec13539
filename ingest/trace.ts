import { z } from "zod";
import { callId, orgId, timestamp, wellFormedText } from "./primitives.ts";

/** The steps of routing that a call's timeline and a ping's log show. */
export const traceEvents = [
  "ping.received",
  "tcpa.checked",
  "allocation.matched",
  "plan.selected",
  "caller.told",
  "menu.entered",
  "menu.chosen",
  "route.skipped",
  "routes.refused",
  "routes.offered",
  "ping.sent",
  "ping.result",
  "auction.won",
  "win.confirmed",
  "win.refused",
  "numbers.allocated",
  "ping.answered",
  "dial.started",
  "dial.ringing",
  "dial.failed",
  // Events of earlier versions, whose records may still be in the log.
  "route.offered",
  "number.allocated",
] as const;
export type TraceEvent = (typeof traceEvents)[number];

/** One step of routing with its ids, reasons and dollars. */
export const traceLineSchema = z.object({
  occurred_at: timestamp,
  event: z.enum(traceEvents),
  detail: z.record(z.string(), z.json()).default({}),
});
export type TraceLine = z.infer<typeof traceLineSchema>;

/** A step of a call's routing; ids rise in the order of writing. */
export const callTraceSchema = traceLineSchema.extend({
  v: z.literal(1).default(1),
  id: wellFormedText.min(1),
  org_id: orgId,
  call_id: callId,
});
export type CallTrace = z.infer<typeof callTraceSchema>;
