import { useEffect, useState } from "preact/hooks";
import { nowMs } from "../clock.ts";
import {
  type DeliveryRecord,
  listPath,
  prettyPrint,
  recordPath,
  recordSchema,
  recordsSchema,
  subjectOf,
  toOutcome,
} from "../deliveries/records.ts";
import { toHash as deliveriesHash, noSearch } from "../deliveries/search.ts";
import { formatCount, formatMs } from "../format.ts";
import { formatShort } from "../format-time.ts";
import { callHash } from "../hash-location.ts";
import { ReadProblem } from "../paged-list.tsx";
import { spanParameters, spanWords } from "../period/spans.ts";
import { errorText } from "../problem.ts";
import { usePolled } from "../routing/use-polled.ts";
import { useSession, useZone } from "../session-context.ts";
import { Badge } from "./webhook-parts.tsx";
import type { At } from "./webhooks.ts";

const mostShown = 20;

const Body = ({ title, text }: { title: string; text: string | null | undefined }) => (
  <>
    <h3>{title}</h3>
    {text ? (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide body must scroll by keyboard, too
      <pre tabIndex={0}>{prettyPrint(text)}</pre>
    ) : (
      <p class="soft">Empty.</p>
    )}
  </>
);

type WholeProps = { readonly direction: At["direction"]; readonly id: string };

/** A record with what lists leave out, read when it is opened. */
const Whole = ({ direction, id }: WholeProps) => {
  const { client } = useSession();
  const [read, setRead] = useState<{ readonly record: DeliveryRecord } | { readonly words: string } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    client.get(recordPath(direction, id), recordSchema).then(
      (record) => isCurrent && setRead({ record }),
      (error) => isCurrent && setRead({ words: errorText(error, 404) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, direction, id]);
  if (read === null) return <p class="soft">Reading…</p>;
  if ("words" in read) return <p class="notice">{read.words}</p>;
  const { record } = read;
  const call = record.call_id ?? record.call_log_id;
  const isSent = direction === "outgoing";
  return (
    <>
      <p>
        {call == null ? "No call was found for it." : <a href={callHash(call)}>Open its call</a>} ·{" "}
        <a href={deliveriesHash({ ...noSearch, direction, text: call ?? "", hours: "", open: id })}>
          {isSent ? "Headers, other attempts, send again" : "Headers and all requests of the call"}
        </a>
      </p>
      {record.attempt != null && (
        <p class="soft">
          Attempt {record.attempt}
          {record.trigger === "manual" ? ", by hand" : record.trigger === "probe" ? ", a probe" : ""}
          {record.next_attempt_at != null && ", to be tried again"}
        </p>
      )}
      {record.error != null && <p>{record.error}</p>}
      <Body title={isSent ? "Sent" : "Received"} text={record.body} />
      <Body title="Answer" text={record.response_body} />
    </>
  );
};

const RecordRow = ({ record, direction }: { record: DeliveryRecord; direction: At["direction"] }) => {
  const zone = useZone();
  const [isOpen, setOpen] = useState(false);
  const took = record.response_time_ms;
  return (
    <li class="route">
      <Badge {...toOutcome(record)} />
      <details class="hook-record" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {formatShort(record.created_at, zone)}{" "}
          <span class="soft">
            {subjectOf(record)}
            {took != null && `, in ${formatMs(took)}`}
          </span>
        </summary>
        {isOpen && <Whole direction={direction} id={record.id} />}
      </details>
    </li>
  );
};

/** The latest records of a webhook in the period, each opened to its bodies and its call. */
export const LastRecords = ({ at, id }: { at: At; id: string }) => {
  const asked = { webhook_id: id, limit: String(mostShown) };
  const { hours, from, to } = at;
  const zone = useZone();
  const key = `${listPath(at.direction)}?${new URLSearchParams({ ...asked, hours, from, to })}`;
  const { found, problem, read } = usePolled(
    key,
    recordsSchema,
    () =>
      `${listPath(at.direction)}?${new URLSearchParams({ ...asked, ...spanParameters(at, { nowMs: nowMs(), zone }) })}`,
  );
  const label = at.direction === "outgoing" ? "Last deliveries" : "Last requests";
  const noun = at.direction === "outgoing" ? "attempt" : "request";
  return (
    <>
      {problem !== null && <ReadProblem problem={problem} onRetry={() => void read()} />}
      {found === null && problem === null && <p class="soft">Reading…</p>}
      {found?.data.length === 0 && (
        <p>
          There was no {noun} {spanWords(at)}.
        </p>
      )}
      {found !== null && found.data.length > 0 && (
        <>
          <p class="soft">
            {found.meta.total > found.data.length
              ? `The latest ${found.data.length} of ${formatCount(found.meta.total, noun)} ${spanWords(at)}.`
              : `${formatCount(found.meta.total, noun)} ${spanWords(at)}.`}
          </p>
          <ul class="routes" aria-label={label}>
            {found.data.map((record) => (
              <RecordRow key={record.id} record={record} direction={at.direction} />
            ))}
          </ul>
        </>
      )}
    </>
  );
};
