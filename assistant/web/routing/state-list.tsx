import { useEffect, useRef, useState } from "preact/hooks";
import { noSearch, toHash } from "../calls/call-search.ts";
import type { ApiRequest } from "../curl.ts";
import { formatCount } from "../format.ts";
import { dryRunHash } from "../hash-location.ts";
import { ReadProblem } from "../paged-list.tsx";
import { useZone } from "../session-context.ts";
import { ApiRequests } from "./api-request.tsx";
import { PauseControl } from "./pause-control.tsx";
import {
  campaignHash,
  type Kind,
  kinds,
  listHash,
  type PartKind,
  partKinds,
  type StateRow,
  stateSchema,
} from "./routing.ts";
import { limitWords, whyClosed } from "./state-words.ts";
import { usePolled } from "./use-polled.ts";

export const OpenBadge = ({ isOpen }: { isOpen: boolean }) => (
  <span class={`badge badge-${isOpen ? "good" : "bad"}`}>{isOpen ? "Open" : "Closed"}</span>
);

const callsOf = ({ kind, id }: StateRow): string => toHash({ ...noSearch, hours: "today", [kinds[kind].calls]: id });

/** The requests of the API that change what the row shows. */
const requestsOf = ({ kind, id, is_active, is_paused, max_concurrency }: StateRow): readonly ApiRequest[] => {
  const { path, pausedAs } = kinds[kind];
  const api = `/api/v1/${path}/${id}`;
  const atOnce = max_concurrency ?? 10;
  const isLimited = kind !== "campaign";
  return [
    {
      title: is_active ? "Switch it off:" : "Switch it on:",
      method: "PATCH",
      path: api,
      body: { is_active: !is_active },
    },
    ...(isLimited
      ? [
          {
            title: `Limit it to ${atOnce} calls at once:`,
            method: "PATCH",
            path: api,
            body: { max_concurrency: atOnce },
          } as const,
        ]
      : []),
    ...(pausedAs !== null && !is_paused
      ? [
          {
            title: "Pause it for an hour:",
            method: "POST",
            path: `${api}/pause`,
            body: { duration_minutes: 60 },
          } as const,
        ]
      : []),
    ...(is_paused ? [{ title: "Resume it:", method: "DELETE", path: `${api}/pause` } as const] : []),
  ];
};

type RowProps = { readonly row: StateRow; readonly mayChange: boolean; readonly onChange: () => Promise<void> };

const Row = ({ row, mayChange, onChange }: RowProps) => {
  const zone = useZone();
  const { pausedAs, one } = kinds[row.kind];
  return (
    <li class="route state-row">
      <OpenBadge isOpen={row.is_open} />
      <div>
        {row.kind === "campaign" ? (
          <a href={campaignHash(row.id)}>
            <strong>{row.name}</strong>
          </a>
        ) : (
          <strong>{row.name}</strong>
        )}
        {row.buyer_name !== null && <span class="soft"> {row.buyer_name}</span>}
        {!row.is_open && <p>{whyClosed(row, zone)}</p>}
        <p class="soft">
          {limitWords(row, zone).join(" · ")} · <a href={callsOf(row)}>See today's calls</a>
        </p>
        <ApiRequests label={`Change this ${one} by the API`} requests={requestsOf(row)} />
      </div>
      {mayChange && pausedAs !== null && (
        <PauseControl name={row.name} type={pausedAs} id={row.id} isPaused={row.is_paused} onDone={onChange} />
      )}
    </li>
  );
};

type NameProps = {
  readonly search: string;
  /** The address of the list of those with a text in their name. */
  readonly hashOf: (search: string) => string;
};

const typingMs = 300;

/** Looks for the name once nothing was typed for a moment. */
export const NameSearch = ({ search, hashOf }: NameProps) => {
  const [typed, setTyped] = useState(search);
  const latest = useRef(search);
  useEffect(() => {
    if (search !== latest.current) setTyped(search);
    latest.current = search;
  }, [search]);
  useEffect(() => {
    if (typed === latest.current) return;
    const timer = setTimeout(() => {
      latest.current = typed;
      location.replace(hashOf(typed));
    }, typingMs);
    return () => clearTimeout(timer);
  }, [typed, hashOf]);
  return (
    <label class="filter">
      Name
      <input type="search" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
    </label>
  );
};

/** The head of the lists: what is listed, to be chosen. */
export const RoutingHead = ({ of }: { of: Kind | PartKind }) => (
  <>
    <div class="routing-head">
      <h1>Routing</h1>
      <a class="secondary" href={dryRunHash()}>
        Who would take a call?
      </a>
    </div>
    <nav class="looks" aria-label="Kinds">
      {Object.entries({ ...kinds, ...partKinds }).map(([kind, each]) => (
        <a key={kind} href={listHash(kind as Kind | PartKind)} aria-current={kind === of ? "page" : undefined}>
          {each.label}
        </a>
      ))}
    </nav>
  </>
);

type PagerProps = {
  readonly of: Kind | PartKind;
  readonly search: string;
  readonly meta: { readonly next_offset: number | null; readonly previous_offset: number | null };
};

/** Links to the pages before and after. */
export const Pager = ({ of, search, meta }: PagerProps) => (
  <div class="pager">
    {meta.previous_offset !== null && (
      <a class="secondary" href={listHash(of, search, meta.previous_offset)}>
        Before
      </a>
    )}
    {meta.next_offset !== null && (
      <a class="secondary" href={listHash(of, search, meta.next_offset)}>
        More
      </a>
    )}
  </div>
);

type Props = { readonly of: Kind; readonly search: string; readonly offset: number };

/** Campaigns, publishers, buyers, targets or RTB formulas: what is open, what is closed and why. */
export const StateList = ({ of, search, offset }: Props) => {
  const query = new URLSearchParams({ kind: of, search, offset: String(offset) });
  const { found, problem, read } = usePolled(`/v1/routing/state?${query}`, stateSchema);
  const { label } = kinds[of];
  return (
    <>
      <RoutingHead of={of} />
      <div class="filters filters-first">
        <NameSearch key={of} search={search} hashOf={(name) => listHash(of, name)} />
      </div>
      {problem !== null && <ReadProblem problem={problem} onRetry={() => void read()} />}
      {found === null && problem === null && (
        <p class="soft" role="status">
          Reading…
        </p>
      )}
      {found !== null && (
        <section class="call-part" aria-label={label}>
          <p class="soft" role="status">
            {formatCount(found.meta.total, kinds[of].one)}
            {found.may_change || of === "campaign" ? "" : ". Admins can pause and resume."}
          </p>
          {found.data.length === 0 && (
            <p>{search === "" ? `There is no ${kinds[of].one} yet.` : `No ${kinds[of].one} has this in its name.`}</p>
          )}
          <ul class="routes" aria-label={label}>
            {found.data.map((row) => (
              <Row key={row.id} row={row} mayChange={found.may_change} onChange={read} />
            ))}
          </ul>
          {found.data.length === 0 && search === "" && (
            <ApiRequests
              label={`Add one by the API`}
              requests={[{ method: "POST", path: `/api/v1/${kinds[of].path}`, body: { name: "A name" } }]}
            />
          )}
          <Pager of={of} search={search} meta={found.meta} />
        </section>
      )}
    </>
  );
};
