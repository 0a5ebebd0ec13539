import { z } from "zod";
import { callId, orgId, timestamp } from "../../ingest/primitives.ts";
import { routedCallSchema } from "../routing/call/agenda.ts";
import { instructionSchema, providers } from "./instruction.ts";

/** What the next instruction for a call needs, kept where every process of the API finds it. */
export const openCallSchema = routedCallSchema.extend({
  call_id: callId,
  org_id: orgId,
  started_at: timestamp,
  /** `routing` while it is being decided where the call goes. */
  state: z.enum(["routing", "menu", "dialing", "connected", "ended"]),
  /** Which switch tells of it. */
  provider: z.enum(providers),
  /** Which process decides, and until when it is waited for. */
  lease: z.object({ by: z.string(), until: z.number() }).nullable(),
  /** Rises with each decision: one that was made on an older round holds no more. */
  round: z.int(),
  menu: z.object({ ivr_id: z.string(), times: z.int() }).nullable(),
  /** Times that menus have asked the caller. */
  turns: z.int(),
  /** The dial that has been reported as ringing. */
  ringing: z.int(),
  connected_at: timestamp.nullable(),
  /** Whether the caller has heard anything of ours. */
  heard: z.boolean(),
  /** When it was ended, as its switch got no answer of ours: what comes by its name afterwards is another call. */
  refused_at: timestamp.nullable().default(null),
  /** Why the last dial failed. */
  failure_reason: z.string().nullable(),
  /** When the present dial began, or rang, by the switch's clock. */
  dial_heard_at: timestamp.nullable(),
  /** How far a switch that runs a clock of its own is ahead of ours, by its last report; null for all others. */
  skew_ms: z.number().nullable(),
  /** What its switch was told last. */
  instruction: instructionSchema,
});
export type OpenCall = z.infer<typeof openCallSchema>;
