import type { ComponentChildren } from "preact";
import { Part } from "../calls/call-view.tsx";
import { CopyButton } from "../copy-button.tsx";
import { formatShort } from "../format-time.ts";
import { BackIcon } from "../icons.tsx";
import { ReadProblem } from "../paged-list.tsx";
import { spanWords } from "../period/spans.ts";
import { ApiRequests } from "../routing/api-request.tsx";
import { PauseControl } from "../routing/pause-control.tsx";
import type { Polled } from "../routing/use-polled.ts";
import { useZone } from "../session-context.ts";
import { LastRecords } from "./last-records.tsx";
import { useStats } from "./webhook-list.tsx";
import { AttachedTo, Badge, Figures, LastFailure, LastRefusal, PeriodSelect, Waiting } from "./webhook-parts.tsx";
import { WebhookRedelivery } from "./webhook-redelivery.tsx";
import { WebhookTrial } from "./webhook-trial.tsx";
import {
  type At,
  figuresOf,
  incomingPageSchema,
  incomingRequests,
  outgoingPageSchema,
  outgoingRequests,
  receivedFigures,
  receiverState,
  stateOf,
  toHash,
} from "./webhooks.ts";

type PageProps<Row> = {
  readonly at: At;
  readonly polled: Polled<{ readonly data: readonly Row[] }>;
  readonly children: (row: Row) => ComponentChildren;
};

/** One webhook once it was read, with the way back. */
const Page = <Row,>({ at, polled: { found, problem, read }, children }: PageProps<Row>) => {
  const row = found?.data[0];
  return (
    <>
      <a class="quiet back" href={toHash({ ...at, id: null, redelivery: "" })}>
        <BackIcon />
        All webhooks
      </a>
      {row === undefined && (
        <h1 class={found === null ? "visually-hidden" : ""}>{found === null ? "Webhook" : "No such webhook"}</h1>
      )}
      {problem !== null && <ReadProblem problem={problem} onRetry={() => void read()} />}
      {found === null && problem === null && (
        <p class="soft" role="status">
          Reading…
        </p>
      )}
      {row !== undefined && children(row)}
    </>
  );
};

type Props = { readonly at: At; readonly id: string };

/** An outgoing webhook: its state and figures, a test, redelivery, and its last deliveries. */
export const OutgoingPage = ({ at, id }: Props) => {
  const zone = useZone();
  const polled = useStats(at, outgoingPageSchema);
  const mayChange = polled.found?.may_change === true;
  return (
    <Page at={at} polled={polled}>
      {(row) => {
        const { label, tone, words, advice } = stateOf(row, zone);
        return (
          <>
            <header class="call-head hook-head">
              <h1>
                {row.name} <Badge label={label} tone={tone} />
              </h1>
              <p class="soft hook-address">
                {row.event_type_id} · {row.method} {row.url}
                {row.is_signed && " · signed"}
              </p>
              {words !== "" && (
                <p>
                  {words} <span class="advice">{advice}</span>
                </p>
              )}
              <Waiting row={row} />
              {row.attached_to.count > 0 && (
                <p>
                  Sent for calls of <AttachedTo attached={row.attached_to} />.
                </p>
              )}
              {mayChange ? (
                <PauseControl
                  name={row.name}
                  type="outgoing_webhook"
                  id={row.id}
                  isPaused={row.is_paused}
                  onDone={polled.read}
                />
              ) : (
                <p class="soft">Admins can pause, resume, test and send again.</p>
              )}
            </header>
            <div class="filters filters-first">
              <PeriodSelect at={at} />
            </div>
            <Part title="Figures">
              <Figures figures={figuresOf(row.stats)} />
              {row.stats?.last_attempt_at != null && (
                <p class="soft">Last attempt {formatShort(row.stats.last_attempt_at, zone)}.</p>
              )}
              <LastFailure stats={row.stats} />
            </Part>
            {mayChange && (
              <Part title="Try it">
                <WebhookTrial id={row.id} onSent={() => void polled.read()} />
              </Part>
            )}
            {mayChange && (
              <Part title="Deliver again">
                <p class="soft">
                  What was sent {spanWords(at)} and did not come through, with what is known of each call now.
                </p>
                <WebhookRedelivery at={at} id={row.id} onEnd={() => void polled.read()} />
              </Part>
            )}
            <Part title="Last deliveries">
              <LastRecords at={at} id={id} />
            </Part>
            <Part title="API">
              <ApiRequests label="Change this webhook by the API" requests={outgoingRequests(row)} />
            </Part>
          </>
        );
      }}
    </Page>
  );
};

/** An incoming webhook: its address, its figures and its last requests. */
export const IncomingPage = ({ at, id }: Props) => {
  const zone = useZone();
  const polled = useStats(at, incomingPageSchema);
  return (
    <Page at={at} polled={polled}>
      {(row) => (
        <>
          <header class="call-head hook-head">
            <h1>
              {row.name} <Badge {...receiverState(row)} />
            </h1>
            <p class="soft">{row.type}</p>
            <p>
              {row.attached_to.count === 0 ? (
                "It is about calls of all campaigns, as none names it."
              ) : (
                <>
                  It is about calls of <AttachedTo attached={row.attached_to} /> alone.
                </>
              )}
            </p>
          </header>
          <Part title="URL">
            {row.url === null ? (
              <p class="soft">Its URL holds its key: admins see it.</p>
            ) : (
              <>
                <p class="soft">Your system posts JSON or a form to it; who has it can write to your calls.</p>
                <pre class="hook-url">{row.url}</pre>
                <p>
                  <CopyButton label="Copy URL" text={() => row.url ?? ""} />
                </p>
              </>
            )}
          </Part>
          <div class="filters filters-first">
            <PeriodSelect at={at} />
          </div>
          <Part title="Figures">
            <Figures figures={receivedFigures(row.stats)} />
            {row.stats?.last_request_at != null && (
              <p class="soft">Last request {formatShort(row.stats.last_request_at, zone)}.</p>
            )}
            <LastRefusal stats={row.stats} />
          </Part>
          <Part title="Last requests">
            <LastRecords at={at} id={id} />
          </Part>
          <Part title="API">
            <ApiRequests label="Change this webhook by the API" requests={incomingRequests(row)} />
          </Part>
        </>
      )}
    </Page>
  );
};
