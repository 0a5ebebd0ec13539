import { useLayoutEffect, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { formatMs } from "../format.ts";
import { formatInstant, formatShort } from "../format-time.ts";
import { callHash } from "../hash-location.ts";
import { BackIcon } from "../icons.tsx";
import { useEscape } from "../keyboard.ts";
import { ReadProblem } from "../paged-list.tsx";
import { useZone } from "../session-context.ts";
import { Badge } from "./record-list.tsx";
import { type DeliveryRecord, type Direction, prettyPrint, subjectOf, toOutcome } from "./records.ts";
import { noSearch, toHash } from "./search.ts";
import { type Opened, type Redelivery, useRecord } from "./use-record.ts";

type Props = {
  readonly direction: Direction;
  readonly id: string;
  readonly onOpen: (id: string) => void;
  readonly onBack: () => void;
};

/** Names and values of the facts beside the exchange; unknown ones are left out. */
const factsOf = (record: DeliveryRecord, zone: string): readonly (readonly [string, string])[] => {
  const { attempt, trigger, response_time_ms: took, remote_address, source_ip, next_attempt_at } = record;
  const facts: (readonly [string, string | null | undefined])[] = [
    ["Webhook", record.webhook_config_name],
    ["When", `${formatInstant(record.created_at, zone)}, ${zone}`],
    ["Attempt", attempt == null ? null : `${attempt}${trigger && trigger !== "automatic" ? `, ${trigger}` : ""}`],
    ["Took", took == null ? null : formatMs(took)],
    ["Address", remote_address ?? source_ip],
    ["Transaction", record.transaction_id],
    ["Error", record.error],
    ["Next attempt", next_attempt_at == null ? null : formatInstant(next_attempt_at, zone)],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
};

const redeliveryWords = (redelivery: Redelivery): string => {
  switch (redelivery.kind) {
    case "idle":
      return "";
    case "sending":
      return "Sending…";
    case "late":
      return "It is queued. The attempt will appear here once it was made.";
    case "failed":
      return redelivery.words;
    case "sent":
      return redelivery.status === null ? "Sent again; no answer came." : `Sent again; answered ${redelivery.status}.`;
  }
};

const addressOf = ({ url, path, query_string }: DeliveryRecord): string =>
  url ?? [path, query_string].filter(Boolean).join("?");

type HeadProps = {
  readonly record: DeliveryRecord;
  readonly redelivery: Redelivery;
  readonly onRedeliver: () => void;
};

const Head = ({ record, redelivery, onRedeliver }: HeadProps) => (
  <>
    <div class="record-head">
      <h2>
        {subjectOf(record)} <Badge record={record} />
      </h2>
      <span class="record-actions">
        <CopyButton label="Copy link" text={() => location.href} />
        {record.may_redeliver === true && (
          <button type="button" class="primary" aria-disabled={redelivery.kind === "sending"} onClick={onRedeliver}>
            Send again
          </button>
        )}
      </span>
    </div>
    <p class={redelivery.kind === "failed" ? "notice" : "soft"} role="status">
      {redeliveryWords(redelivery)}
    </p>
    {record.may_redeliver === false && <p class="soft">Admins can send it again.</p>}
    <p class="record-url">
      <strong>{record.method}</strong> {addressOf(record)}
    </p>
  </>
);

const Facts = ({ record, direction }: Pick<HeadProps, "record"> & Pick<Props, "direction">) => (
  <>
    <dl class="facts">
      {factsOf(record, useZone()).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {record.call_id != null && (
        <div>
          <dt>Call</dt>
          <dd>
            <a href={callHash(record.call_id)}>{record.call_id}</a>
          </dd>
        </div>
      )}
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

type HalfProps = {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>> | null | undefined;
  readonly body: string | null | undefined;
  readonly nothing: string;
};

/** The request or the answer of an exchange: headers, then the body. */
const Half = ({ title, headers, body, nothing }: HalfProps) => {
  const names = Object.entries(headers ?? {});
  const text = body ? prettyPrint(body) : "";
  return (
    <section class="half" aria-label={title}>
      <div class="sql-bar">
        <h3>{title}</h3>
        {text !== "" && <CopyButton label="Copy body" text={() => text} />}
      </div>
      {names.length > 0 && (
        <dl class="headers">
          {names.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {text === "" ? (
        <p class="soft no-body">{nothing}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long body must scroll by keyboard too
        <pre tabIndex={0}>{text}</pre>
      )}
    </section>
  );
};

type AttemptsProps = {
  readonly attempts: readonly DeliveryRecord[];
  readonly id: string;
  readonly onOpen: (id: string) => void;
};

/** All attempts at one delivery, where there are several; each opens its own record. */
const Attempts = ({ attempts, id, onOpen }: AttemptsProps) => {
  const zone = useZone();
  if (attempts.length < 2) return null;
  return (
    <section class="attempts" aria-label="Attempts">
      <h3>Attempts</h3>
      <ol>
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <button
              type="button"
              aria-current={attempt.id === id ? "true" : undefined}
              onClick={() => onOpen(attempt.id)}
            >
              <Badge record={attempt} />
              <time dateTime={attempt.created_at}>{formatShort(attempt.created_at, zone)}</time>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
};

type WholeProps = Pick<Props, "direction" | "id" | "onOpen"> & {
  readonly opened: Extract<Opened, { kind: "open" }>;
  readonly redelivery: Redelivery;
  readonly onRedeliver: () => void;
};

const Whole = ({ opened: { record, attempts }, direction, id, redelivery, onOpen, onRedeliver }: WholeProps) => (
  <>
    <Head record={record} redelivery={redelivery} onRedeliver={onRedeliver} />
    <Facts record={record} direction={direction} />
    <Attempts attempts={attempts} id={id} onOpen={onOpen} />
    <Half title="Request" headers={record.headers} body={record.body} nothing="No body." />
    <Half
      title={`Answer ${toOutcome(record).label}`}
      headers={record.response_headers}
      body={record.response_body}
      nothing={record.response_status_code == null ? "No answer came." : "No body."}
    />
  </>
);

/** One record with the other attempts at the same delivery, and a button that sends it again. */
export const RecordView = ({ direction, id, onOpen, onBack }: Props) => {
  const { opened, redelivery, open, redeliver } = useRecord(direction, id);
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
      {opened.kind === "failed" && <ReadProblem problem={opened.problem} onRetry={open} />}
      {opened.kind === "open" && (
        <Whole
          opened={opened}
          direction={direction}
          id={id}
          redelivery={redelivery}
          onOpen={onOpen}
          onRedeliver={() => void redeliver()}
        />
      )}
    </section>
  );
};
