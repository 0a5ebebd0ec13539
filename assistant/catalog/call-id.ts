import type { Dimension } from "./field.ts";

/** The dimension of the call that a record belongs to, by its id. */
export const callId: Dimension = {
  name: "call",
  column: "call_id",
  words: ["call id", "call_id"],
  definition: "The id of the call.",
};
