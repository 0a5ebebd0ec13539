import { z } from "zod";
import { wellFormedText } from "../../../ingest/primitives.ts";

/** Fields of the switch's hooks that are read; it sends many more. */
const text = wellFormedText.max(255);
const about = { call_sid: text.min(1), from: text.nullish() };
/** Of the caller's leg, in hooks about a dial or a menu. */
const callStatus = text.nullish();

export const callHook = z.object({ ...about, to: text.min(1) });
export const actionHook = z.object({
  ...about,
  call_status: callStatus,
  dial_call_status: text.nullish(),
});
/** `parent_call_sid` is there for a leg that we had dialed; `duration`, in seconds, once a leg is over. */
export const statusHook = z.object({
  ...about,
  call_status: text,
  parent_call_sid: text.nullish(),
  duration: z.number().min(0).max(1e6).nullish().catch(null),
});
/** Without digits the time was up. */
export const gatherHook = z.object({ ...about, digits: text.nullish() });
