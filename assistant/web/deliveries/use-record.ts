import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { read, send } from "../client.ts";
import { type Problem, RequestError, toProblem } from "../problem.ts";
import {
  type DeliveryRecord,
  type Direction,
  listPath,
  recordPath,
  recordsSchema,
  redeliveredSchema,
  type WholeRecord,
  wholeRecordSchema,
} from "./records.ts";

export type Opened =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly problem: Problem }
  | { readonly kind: "missing"; readonly words: string }
  | { readonly kind: "open"; readonly record: WholeRecord; readonly attempts: readonly DeliveryRecord[] };

export type Resending =
  | { readonly kind: "idle" | "sending" | "late" }
  | { readonly kind: "sent"; readonly id: string; readonly status: number | null }
  | { readonly kind: "failed"; readonly words: string };

const wordsOf = (error: unknown): string => {
  if (error instanceof RequestError && (error.status === 404 || error.status === 409)) return error.message;
  const { title, advice } = toProblem(error);
  return `${title} ${advice}`;
};

const toFailure = (error: unknown): Opened =>
  error instanceof RequestError && error.status === 404
    ? { kind: "missing", words: error.message }
    : { kind: "failed", problem: toProblem(error) };

/** All attempts to tell one webhook of one event of one call, the latest first. */
const readAttempts = async (token: string, record: WholeRecord): Promise<readonly DeliveryRecord[]> => {
  const { outgoing_webhook_config_id: webhook, call_id: call, event_type_id: event } = record;
  if (webhook == null || call == null || event == null) return [];
  const sought = new URLSearchParams({ webhook_id: webhook, call_id: call, event_type_id: event, limit: "20" });
  return (await read(token, `${listPath("outgoing")}?${sought}`, recordsSchema)).data;
};

// An attempt may take ten seconds, and its record a moment more.
const looksMs = [300, 500, 700, 1000, 1000, 1500, 2000, 3000, 4000, 5000];
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** One record with the other attempts at the same; and how to deliver it once more. */
export const useRecord = (token: string, direction: Direction, id: string) => {
  const [opened, setOpened] = useState<Opened>({ kind: "loading" });
  const [resending, setResending] = useState<Resending>({ kind: "idle" });
  const shown = useRef(id);
  shown.current = id;

  const open = useCallback((): void => {
    setOpened({ kind: "loading" });
    const reading = async (): Promise<Opened> => {
      const record = await read(token, recordPath(direction, id), wholeRecordSchema);
      return { kind: "open", record, attempts: await readAttempts(token, record) };
    };
    void reading()
      .catch(toFailure)
      .then((result) => shown.current === id && setOpened(result));
  }, [token, direction, id]);

  useEffect(open, [open]);

  const watch = useCallback(
    async ({ record, attempts }: Extract<Opened, { kind: "open" }>): Promise<Resending> => {
      const known = new Set(attempts.map((attempt) => attempt.id));
      for (const ms of looksMs) {
        await pause(ms);
        const latest = await readAttempts(token, record);
        const fresh = latest.find((attempt) => !known.has(attempt.id));
        if (fresh === undefined) continue;
        if (shown.current === id) setOpened({ kind: "open", record, attempts: latest });
        return { kind: "sent", id: fresh.id, status: fresh.response_status_code ?? null };
      }
      return { kind: "late" };
    },
    [token, id],
  );

  const resend = useCallback(async (): Promise<void> => {
    if (opened.kind !== "open" || resending.kind === "sending") return;
    setResending({ kind: "sending" });
    const path = `${recordPath("outgoing", id)}/redeliver`;
    const outcome = await send(token, { method: "POST", path }, redeliveredSchema)
      .then(() => watch(opened))
      .catch((error): Resending => ({ kind: "failed", words: wordsOf(error) }));
    setResending(outcome);
  }, [token, id, opened, resending.kind, watch]);

  return { opened, resending, open, resend };
};
