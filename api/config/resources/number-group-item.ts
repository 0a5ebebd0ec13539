import { z } from "zod";
import { type PauseState, pauseView } from "../pause.ts";
import type { FindName } from "../resource.ts";
import { count, externalId, id, money, percentage, rowId, rowPause, shortText } from "./shapes.ts";

/** A number of a campaign, with the publisher it was handed to and terms of its own. */
export const numberGroupItem = z.object({
  id: rowId.optional(),
  number_id: id,
  publisher_id: id.optional(),
  type: z.enum(["static", "dynamic"]).default("static").describe("Whether the number is always the publisher's."),
  payout: money.optional(),
  /** One that is not known is none of its own (spec: string). */
  payout_condition: shortText.optional(),
  payout_condition_duration: count.optional(),
  payout_percentage: percentage.optional(),
  external_id: externalId,
  is_active: z.boolean().default(true),
});

/** A row as it is kept: its id is given, and only the pause operation changes its pause. */
export type NumberGroupItem = z.output<typeof numberGroupItem> & { id: string; pause?: PauseState | null };

export const numberGroupItemAnswer = numberGroupItem
  .extend({
    id: rowId,
    number: z.string().optional(),
    publisher_name: z.string().optional(),
    ...rowPause,
  })
  .meta({ id: "NumberGroupItem" });

export function viewNumberGroupItem({ pause, ...row }: NumberGroupItem, find: FindName, now: number) {
  const number = find("number", row.number_id);
  const publisher = find("publisher", row.publisher_id);
  return {
    ...row,
    ...(number ? { number: number.name } : {}),
    ...(publisher ? { publisher_name: publisher.name } : {}),
    ...pauseView(pause, now),
  };
}
