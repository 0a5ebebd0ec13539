import * as z from "zod/mini";
import type { IncomingRequest, OutgoingRequest } from "../../../ingest/delivery.ts";

type Always = Pick<OutgoingRequest, "id" | "method" | "path" | "created_at">;

/**
 * An attempt at an outgoing webhook, or a request to the receiver: its fields are those of the records, by direction,
 * and fewer in a list than in a record that is read alone.
 */
export type DeliveryRecord = Always &
  Nullable<Omit<OutgoingRequest & Omit<IncomingRequest, "kind">, keyof Always>> & {
    /** True if this user may send it again; only of an outgoing record read by its id. */
    readonly may_redeliver?: boolean;
  };
type Nullable<T> = { readonly [K in keyof T]?: T[K] | null };

const always = z.object({ id: z.string(), method: z.string(), path: z.string(), created_at: z.string() });

/** Checks the fields that every record has. */
export const recordSchema = z.custom<DeliveryRecord>((value) => always.safeParse(value).success);

export const recordsSchema = z.object({
  data: z.array(recordSchema),
  meta: z.object({ total: z.number(), next_cursor: z.nullish(z.string()) }),
});
export const redeliveredSchema = z.object({ delivery_id: z.string() });

export type Direction = "outgoing" | "incoming";
export const listPath = (direction: Direction): string => `/v1/webhooks/${direction}-requests`;
export const recordPath = (direction: Direction, id: string): string =>
  `${listPath(direction)}/${encodeURIComponent(id)}`;

/** The status that a record ended with, for its badge. */
export const toOutcome = ({ response_status_code: status }: Pick<DeliveryRecord, "response_status_code">) => {
  if (status == null) return { label: "no answer", tone: "bad" } as const;
  return { label: String(status), tone: status < 300 ? "good" : "bad" } as const;
};

/** The event of an outgoing record, the type of an incoming one. */
export const subjectOf = ({ event_type_id: event, webhook_config_type: type }: DeliveryRecord): string =>
  event ?? type ?? "request";

/** Indents JSON; any other text is unchanged. */
export const prettyPrint = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};
