import { z } from "zod";
import { callId, orgId, timestamp } from "../../ingest/primitives.ts";
import { routedCallSchema } from "../routing/call/dial-plan.ts";
import { instructionSchema, providers } from "./instruction.ts";

/** State of a call in progress, stored where every process of the API finds it: all that its next instruction needs. */
export const openCallSchema = routedCallSchema.extend({
  call_id: callId,
  org_id: orgId,
  started_at: timestamp,
  /** `routing` while it is decided where the call goes. */
  state: z.enum(["routing", "menu", "dialing", "connected", "ended"]),
  /** The switch that reports on it. */
  provider: z.enum(providers),
  /** The process that decides, and until when others wait for it. */
  lease: z.object({ by: z.string(), until: z.number() }).nullable(),
  /** Rises with each decision: one that was made on an older round is dropped. */
  round: z.int(),
  menu: z.object({ ivr_id: z.string(), times: z.int() }).nullable(),
  /** Times that menus have asked the caller. */
  turns: z.int(),
  /** The dial that has been reported as ringing. */
  ringing: z.int(),
  connected_at: timestamp.nullable(),
  /** True once the caller has heard a text or a menu. */
  heard: z.boolean(),
  /** When it was ended because its switch got no answer: what comes by its name afterwards is another call. */
  refused_at: timestamp.nullable().default(null),
  /** Why the last dial failed. */
  failure_reason: z.string().nullable(),
  /** Time at which the present dial began, or rang, by the switch's clock. */
  dial_heard_at: timestamp.nullable(),
  /** Milliseconds that a switch with a clock of its own is ahead of ours, by its last report; null for all others. */
  skew_ms: z.number().nullable(),
  /** The last instruction to its switch. */
  instruction: instructionSchema,
});
export type OpenCall = z.infer<typeof openCallSchema>;
