import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { formatMs } from "../format.ts";
import { formatInstant } from "../format-time.ts";
import { BackIcon } from "../icons.tsx";
import { ReadProblem } from "../list-end.tsx";
import { useEscape } from "../use-escape.ts";
import { Zone } from "../zone.ts";
import { Badge } from "./record-list.tsx";
import { Attempts, Half } from "./record-parts.tsx";
import { type Direction, subjectOf, toOutcome, type WholeRecord } from "./records.ts";
import { noSearch, toHash } from "./search.ts";
import { type Opened, type Resending, useRecord } from "./use-record.ts";

type Props = {
  readonly token: string;
  readonly direction: Direction;
  readonly id: string;
  readonly onOpen: (id: string) => void;
  readonly onBack: () => void;
  readonly onSignInAgain: () => void;
};

/** What is worth knowing beside the exchange; what is not known is left out. */
const factsOf = (record: WholeRecord, zone: string): readonly (readonly [string, string])[] => {
  const { attempt, trigger, response_time_ms: took, remote_address, source_ip, call_id, next_attempt_at } = record;
  const facts: (readonly [string, string | null | undefined])[] = [
    ["Webhook", record.webhook_config_name],
    ["When", `${formatInstant(record.created_at, zone)}, ${zone}`],
    ["Attempt", attempt == null ? null : `${attempt}${trigger && trigger !== "automatic" ? `, ${trigger}` : ""}`],
    ["Took", took == null ? null : formatMs(took)],
    ["Address", remote_address ?? source_ip],
    ["Call", call_id],
    ["Transaction", record.transaction_id],
    ["Error", record.error],
    ["Next attempt", next_attempt_at == null ? null : formatInstant(next_attempt_at, zone)],
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

type Open = Extract<Opened, { kind: "open" }>;

const addressOf = ({ url, path, query_string }: WholeRecord): string =>
  url ?? [path, query_string].filter(Boolean).join("?");

const Head = ({ record, direction, resending, onResend }: HeadProps) => (
  <>
    <div class="record-head">
      <h2>
        {subjectOf(record)} <Badge record={record} />
      </h2>
      <span class="record-actions">
        <CopyButton label="Copy link" text={() => location.href} />
        {direction === "outgoing" && (
          <button type="button" class="primary" aria-disabled={resending.kind === "sending"} onClick={onResend}>
            Send again
          </button>
        )}
      </span>
    </div>
    <p class={resending.kind === "failed" ? "notice" : "soft"} role="status">
      {resendWords(resending)}
    </p>
    <p class="record-url">
      <strong>{record.method}</strong> {addressOf(record)}
    </p>
  </>
);

type HeadProps = {
  readonly record: WholeRecord;
  readonly direction: Direction;
  readonly resending: Resending;
  readonly onResend: () => void;
};

const Facts = ({ record, direction }: Pick<HeadProps, "record" | "direction">) => (
  <>
    <dl class="facts">
      {factsOf(record, useContext(Zone)).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    {record.call_id != null && (
      <p class="soft">
        <a href={toHash({ ...noSearch, direction, text: record.call_id, hours: "" })}>
          All that was {direction === "outgoing" ? "sent" : "received"} of this call
        </a>
      </p>
    )}
  </>
);

const Exchange = ({ record }: { record: WholeRecord }) => (
  <>
    <Half title="Request" headers={record.headers} body={record.body} nothing="No body." />
    <Half
      title={`Answer ${toOutcome(record).label}`}
      headers={record.response_headers}
      body={record.response_body}
      nothing={record.response_status_code == null ? "No answer came." : "No body."}
    />
  </>
);

type WholeProps = Pick<Props, "direction" | "id" | "onOpen"> & {
  readonly opened: Open;
  readonly resending: Resending;
  readonly onResend: () => void;
};

const Whole = ({ opened: { record, attempts }, direction, id, resending, onOpen, onResend }: WholeProps) => (
  <>
    <Head record={record} direction={direction} resending={resending} onResend={onResend} />
    <Facts record={record} direction={direction} />
    <Attempts attempts={attempts} id={id} onOpen={onOpen} />
    <Exchange record={record} />
  </>
);

/** One record, whole: what was sent, what came back, what else was tried; and a button that sends it again. */
export const RecordView = ({ token, direction, id, onOpen, onBack, onSignInAgain }: Props) => {
  const { opened, resending, open, resend } = useRecord(token, direction, id);
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => panel.current?.focus({ preventScroll: true }), []);
  useEscape(onBack);
  return (
    <section class="record" ref={panel} tabIndex={-1} aria-label="The request">
      <button type="button" class="quiet back" onClick={onBack}>
        <BackIcon />
        All requests
      </button>
      {opened.kind === "loading" && (
        <p class="soft" role="status">
          Opening…
        </p>
      )}
      {opened.kind === "missing" && (
        <p class="notice" role="alert">
          {opened.words}
        </p>
      )}
      {opened.kind === "failed" && (
        <ReadProblem problem={opened.problem} onAgain={open} onSignInAgain={onSignInAgain} />
      )}
      {opened.kind === "open" && (
        <Whole
          opened={opened}
          direction={direction}
          id={id}
          resending={resending}
          onOpen={onOpen}
          onResend={() => void resend()}
        />
      )}
    </section>
  );
};
