import { useLayoutEffect, useRef } from "preact/hooks";
import { formatMs } from "../format.ts";
import { formatTime } from "../format-time.ts";
import { BackIcon } from "../icons.tsx";
import { useEscape } from "../use-escape.ts";
import { Badge } from "./record-list.tsx";
import { Attempts, Half } from "./record-parts.tsx";
import { type Direction, subjectOf, toOutcome, type WholeRecord } from "./records.ts";
import { type Resending, useRecord } from "./use-record.ts";

type Props = {
  readonly token: string;
  readonly direction: Direction;
  readonly id: string;
  readonly onOpen: (id: string) => void;
  readonly onBack: () => void;
};

/** What is worth knowing beside the exchange; what is not known is left out. */
const factsOf = (record: WholeRecord): readonly (readonly [string, string])[] => {
  const { attempt, trigger, response_time_ms: took, remote_address, source_ip, call_id, next_attempt_at } = record;
  const facts: (readonly [string, string | null | undefined])[] = [
    ["When", formatTime(record.created_at, "created_at")],
    ["Attempt", attempt == null ? null : `${attempt}${trigger && trigger !== "automatic" ? `, ${trigger}` : ""}`],
    ["Took", took == null ? null : formatMs(took)],
    ["Address", remote_address ?? source_ip],
    ["Call", call_id],
    ["Transaction", record.transaction_id],
    ["Error", record.error],
    ["Next attempt", next_attempt_at == null ? null : formatTime(next_attempt_at, "next_attempt_at")],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
};

const resendWords = (resending: Resending): string => {
  switch (resending.kind) {
    case "idle":
      return "";
    case "sending":
      return "Sending…";
    case "late":
      return "It is queued. The attempt will appear here once it was made.";
    case "failed":
      return resending.words;
    case "sent":
      return resending.status === null ? "Sent again; no answer came." : `Sent again; answered ${resending.status}.`;
  }
};

/** One record, whole: what was sent, what came back, what else was tried; and a button that sends it again. */
export const RecordView = ({ token, direction, id, onOpen, onBack }: Props) => {
  const { opened, resending, resend } = useRecord(token, direction, id);
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => panel.current?.focus({ preventScroll: true }), []);
  useEscape(onBack);
  const isSent = direction === "outgoing";
  return (
    <section class="record" ref={panel} tabIndex={-1} aria-label="The request">
      <button type="button" class="quiet back" onClick={onBack}>
        <BackIcon />
        All requests
      </button>
      {opened.kind === "loading" && <p class="soft">Opening…</p>}
      {opened.kind === "failed" && (
        <p class="notice" role="alert">
          {opened.words}
        </p>
      )}
      {opened.kind === "open" && (
        <>
          <div class="record-head">
            <h2>
              {subjectOf(opened.record)} <Badge record={opened.record} />
            </h2>
            {isSent && (
              <button
                type="button"
                class="primary"
                aria-disabled={resending.kind === "sending"}
                onClick={() => void resend()}
              >
                Send again
              </button>
            )}
          </div>
          <p class={resending.kind === "failed" ? "notice" : "soft"} role="status">
            {resendWords(resending)}
          </p>
          <p class="record-url">
            <strong>{opened.record.method}</strong>{" "}
            {opened.record.url ?? [opened.record.path, opened.record.query_string].filter(Boolean).join("?")}
          </p>
          <dl class="facts">
            {factsOf(opened.record).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <Attempts attempts={opened.attempts} id={id} onOpen={onOpen} />
          <Half title="Request" {...{ headers: opened.record.headers, body: opened.record.body }} nothing="No body." />
          <Half
            title={`Answer ${toOutcome(opened.record).label}`}
            {...{ headers: opened.record.response_headers, body: opened.record.response_body }}
            nothing={opened.record.response_status_code == null ? "No answer came." : "No body."}
          />
        </>
      )}
    </section>
  );
};
