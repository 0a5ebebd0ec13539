import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type * as z from "zod/mini";
import { nowMs } from "../clock.ts";
import { CopyButton } from "../copy-button.tsx";
import { formatCount } from "../format.ts";
import { formatShort } from "../format-time.ts";
import { ReadProblem } from "../paged-list.tsx";
import { spanParameters, spanWords } from "../period/spans.ts";
import { ApiRequests } from "../routing/api-request.tsx";
import { PauseControl } from "../routing/pause-control.tsx";
import { NameSearch } from "../routing/state-list.tsx";
import { type Polled, usePolled } from "../routing/use-polled.ts";
import { useZone } from "../session-context.ts";
import { AttachedTo, Badge, Figures, LastFailure, LastRefusal, PeriodSelect, Waiting } from "./webhook-parts.tsx";
import {
  type At,
  type Direction,
  figuresOf,
  firstRequest,
  type Incoming,
  incomingPageSchema,
  incomingRequests,
  type Outgoing,
  outgoingPageSchema,
  outgoingRequests,
  receivedFigures,
  receiverState,
  stateOf,
  toHash,
} from "./webhooks.ts";

/**
 * The webhooks that the address names, with figures of its span up to now. Those of the address before stay until the
 * next ones are read, so that what is typed and open beside them outlives the choice of another span.
 */
export const useStats = <T,>(at: At, schema: z.ZodMiniType<T>): Polled<T> => {
  const asked = at.id === null ? { search: at.search, offset: `${at.offset}` } : { webhook_id: at.id };
  const zone = useZone();
  const path = `/v1/webhooks/${at.direction}-stats`;
  const key = `${path}?${new URLSearchParams({ ...asked, hours: at.hours, from: at.from, to: at.to })}`;
  const addressOf = () =>
    `${path}?${new URLSearchParams({ ...asked, ...spanParameters(at, { nowMs: nowMs(), zone }) })}`;
  const polled = usePolled(key, schema, addressOf);
  const last = useRef<T | null>(null);
  if (polled.found !== null) last.current = polled.found;
  return polled.problem === null ? { ...polled, found: last.current } : polled;
};

const directions: Readonly<
  Record<Direction, { readonly label: string; readonly one: string; readonly first: string }>
> = {
  outgoing: {
    label: "Outgoing",
    one: "outgoing webhook",
    first:
      "An outgoing webhook tells one of your systems of one event of calls. Make the first one, then name it in a campaign's outgoing_webhooks:",
  },
  incoming: {
    label: "Incoming",
    one: "incoming webhook",
    first:
      "An incoming webhook lets one of your systems tell of calls: data of callers, amounts, tags or fields. Make the first one:",
  },
};

type Listed<Row> = {
  readonly data: readonly Row[];
  readonly meta: {
    readonly total: number;
    readonly next_offset: number | null;
    readonly previous_offset: number | null;
  };
  readonly may_change: boolean;
};
type ListProps<Row> = {
  readonly at: At;
  readonly polled: Polled<Listed<Row>>;
  readonly draw: (row: Row, found: Listed<Row>) => ComponentChildren;
};

const List = <Row,>({ at, polled: { found, problem, read }, draw }: ListProps<Row>) => {
  const { label, one, first } = directions[at.direction];
  const isEmpty = found !== null && found.data.length === 0 && at.search === "" && at.offset === 0;
  return (
    <>
      <div class="routing-head">
        <h1>Webhooks</h1>
        <a class="secondary" href={`#deliveries${at.direction === "incoming" ? "?direction=incoming" : ""}`}>
          Search deliveries
        </a>
      </div>
      <nav class="looks" aria-label="Directions">
        {Object.entries(directions).map(([direction, each]) => (
          <a
            key={direction}
            href={toHash({ ...at, direction: direction as Direction, search: "", offset: 0 })}
            aria-current={direction === at.direction ? "page" : undefined}
          >
            {each.label}
          </a>
        ))}
      </nav>
      {!isEmpty && (
        <div class="filters filters-first">
          <NameSearch search={at.search} hashOf={(search) => toHash({ ...at, search, offset: 0 })} />
          <PeriodSelect at={at} />
        </div>
      )}
      {problem !== null && <ReadProblem problem={problem} onRetry={() => void read()} />}
      {found === null && problem === null && (
        <p class="soft" role="status">
          Reading…
        </p>
      )}
      {found !== null && (
        <section class="call-part" aria-label={label}>
          {isEmpty ? (
            <>
              <h2>There is no {one} yet</h2>
              <p>{first}</p>
              <ApiRequests label="Make one by the API" requests={[firstRequest[at.direction]]} isOpen />
            </>
          ) : (
            <p class="soft" role="status">
              {formatCount(found.meta.total, one)}
              {found.may_change || at.direction === "incoming" ? "" : ". Admins can pause, resume and test."}
            </p>
          )}
          {found.data.length === 0 && !isEmpty && <p>No {one} has this in its name.</p>}
          <ul class="routes" aria-label={label}>
            {found.data.map((row) => draw(row, found))}
          </ul>
          <div class="pager">
            {found.meta.previous_offset !== null && (
              <a class="secondary" href={toHash({ ...at, offset: found.meta.previous_offset })}>
                Before
              </a>
            )}
            {found.meta.next_offset !== null && (
              <a class="secondary" href={toHash({ ...at, offset: found.meta.next_offset })}>
                More
              </a>
            )}
          </div>
        </section>
      )}
    </>
  );
};

type RowProps<Row> = {
  readonly row: Row;
  readonly at: At;
  readonly mayChange: boolean;
  readonly onChange: () => Promise<void>;
};

const OutgoingRow = ({ row, at, mayChange, onChange }: RowProps<Outgoing>) => {
  const { label, tone, words, advice } = stateOf(row, useZone());
  return (
    <li class="route state-row">
      <Badge label={label} tone={tone} />
      <div>
        <a href={toHash({ ...at, id: row.id })}>
          <strong>{row.name}</strong>
        </a>{" "}
        <span class="soft">
          {row.event_type_id} · {row.method} {row.url}
        </span>
        {words !== "" && (
          <p>
            {words} <span class="advice">{advice}</span>
          </p>
        )}
        <Waiting row={row} />
        <Figures figures={figuresOf(row.stats)} />
        <LastFailure stats={row.stats} />
        <ApiRequests label="Change this webhook by the API" requests={outgoingRequests(row)} />
      </div>
      {mayChange && (
        <PauseControl name={row.name} type="outgoing_webhook" id={row.id} isPaused={row.is_paused} onDone={onChange} />
      )}
    </li>
  );
};

const IncomingRow = ({ row, at }: Omit<RowProps<Incoming>, "mayChange" | "onChange">) => {
  const zone = useZone();
  const { url, stats } = row;
  return (
    <li class="route state-row">
      <Badge {...receiverState(row)} />
      <div>
        <a href={toHash({ ...at, id: row.id })}>
          <strong>{row.name}</strong>
        </a>{" "}
        <span class="soft">{row.type}</span>
        {stats?.requests === 0 && <p>Nothing was received {spanWords(at)}.</p>}
        {row.attached_to.count > 0 && (
          <p class="soft">
            About calls of <AttachedTo attached={row.attached_to} />
          </p>
        )}
        <Figures figures={receivedFigures(stats)} />
        {stats?.last_request_at != null && <p>Last request {formatShort(stats.last_request_at, zone)}.</p>}
        <LastRefusal stats={stats} />
        <ApiRequests label="Change this webhook by the API" requests={incomingRequests(row)} />
      </div>
      {url !== null && <CopyButton label="Copy URL" text={() => url} />}
    </li>
  );
};

/** Outgoing webhooks with their state and figures; those that fail or are paused come first. */
export const OutgoingList = ({ at }: { at: At }) => {
  const polled = useStats(at, outgoingPageSchema);
  return (
    <List
      at={at}
      polled={polled}
      draw={(row: Outgoing, { may_change }) => (
        <OutgoingRow key={row.id} row={row} at={at} mayChange={may_change} onChange={polled.read} />
      )}
    />
  );
};

/** Incoming webhooks with their addresses and figures. */
export const IncomingList = ({ at }: { at: At }) => {
  const polled = useStats(at, incomingPageSchema);
  return <List at={at} polled={polled} draw={(row: Incoming) => <IncomingRow key={row.id} row={row} at={at} />} />;
};
