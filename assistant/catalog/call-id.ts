import type { Dimension } from "./field.ts";

/** Which call a record is of: asked for by its id. */
export const callId: Dimension = {
  name: "call",
  column: "call_id",
  words: ["call id", "call_id"],
  definition: "The id of the call.",
};
