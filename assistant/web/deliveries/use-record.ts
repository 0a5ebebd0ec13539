import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Client } from "../client.ts";
import { errorText, type Problem, RequestError, toProblem } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { pollFor } from "../use-polling.ts";
import {
  type DeliveryRecord,
  type Direction,
  listPath,
  recordPath,
  recordSchema,
  recordsSchema,
  redeliveredSchema,
} from "./records.ts";

export type Opened =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly problem: Problem }
  | { readonly kind: "missing"; readonly words: string }
  | { readonly kind: "open"; readonly record: DeliveryRecord; readonly attempts: readonly DeliveryRecord[] };

/** The state of sending a record again; `late` where the attempt is not recorded in time. */
export type Redelivery =
  | { readonly kind: "idle" | "sending" | "late" }
  | { readonly kind: "sent"; readonly id: string; readonly status: number | null }
  | { readonly kind: "failed"; readonly words: string };

const toFailure = (error: unknown): Opened =>
  error instanceof RequestError && error.status === 404
    ? { kind: "missing", words: error.message }
    : { kind: "failed", problem: toProblem(error) };

/** All attempts to deliver one event of one call to one webhook, the latest first. */
const readAttempts = async (client: Client, record: DeliveryRecord): Promise<readonly DeliveryRecord[]> => {
  const { outgoing_webhook_config_id: webhook, call_id: call, event_type_id: event } = record;
  if (webhook == null || call == null || event == null) return [];
  const sought = new URLSearchParams({ webhook_id: webhook, call_id: call, event_type_id: event, limit: "20" });
  return (await client.get(`${listPath("outgoing")}?${sought}`, recordsSchema)).data;
};

/** One record with the other attempts at the same delivery, and a function that delivers it again. */
export const useRecord = (direction: Direction, id: string) => {
  const { client } = useSession();
  const [opened, setOpened] = useState<Opened>({ kind: "loading" });
  const [redelivery, setRedelivery] = useState<Redelivery>({ kind: "idle" });
  const shown = useRef(id);
  shown.current = id;

  const open = useCallback((): void => {
    setOpened({ kind: "loading" });
    const reading = async (): Promise<Opened> => {
      const record = await client.get(recordPath(direction, id), recordSchema);
      return { kind: "open", record, attempts: await readAttempts(client, record) };
    };
    void reading()
      .catch(toFailure)
      .then((result) => shown.current === id && setOpened(result));
  }, [client, direction, id]);

  useEffect(open, [open]);

  /** Waits for the record of the attempt that was asked for. */
  const waitForAttempt = useCallback(
    async ({ record, attempts }: Extract<Opened, { kind: "open" }>): Promise<Redelivery> => {
      const known = new Set(attempts.map((attempt) => attempt.id));
      const sent = await pollFor(async (): Promise<Redelivery | null> => {
        const latest = await readAttempts(client, record);
        const fresh = latest.find((attempt) => !known.has(attempt.id));
        if (fresh === undefined) return null;
        if (shown.current === id) setOpened({ kind: "open", record, attempts: latest });
        return { kind: "sent", id: fresh.id, status: fresh.response_status_code ?? null };
      });
      return sent ?? { kind: "late" };
    },
    [client, id],
  );

  const redeliver = useCallback(async (): Promise<void> => {
    if (opened.kind !== "open" || redelivery.kind === "sending") return;
    setRedelivery({ kind: "sending" });
    const path = `${recordPath("outgoing", id)}/redeliver`;
    const outcome = await client
      .send({ method: "POST", path }, redeliveredSchema)
      .then(() => waitForAttempt(opened))
      // 403, 404 and 409 say why this record cannot be sent again.
      .catch((error): Redelivery => ({ kind: "failed", words: errorText(error, 403, 404, 409) }));
    setRedelivery(outcome);
  }, [client, id, opened, redelivery.kind, waitForAttempt]);

  return { opened, redelivery, open, redeliver };
};
