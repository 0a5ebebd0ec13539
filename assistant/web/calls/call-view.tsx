import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { formatNumber } from "../format.ts";
import { formatInstant } from "../format-time.ts";
import { callHash, dryRunHash } from "../hash-location.ts";
import { BackIcon } from "../icons.tsx";
import { useEscape } from "../keyboard.ts";
import { ReadProblem } from "../paged-list.tsx";
import { useZone } from "../session-context.ts";
import { type Call, type Details, destinationOf, isAnonymous, isLink, toState } from "./call.ts";
import { CallHooks } from "./call-hooks.tsx";
import { Money } from "./call-money.tsx";
import { Bids, Routes } from "./call-route.tsx";
import { type CallSearch, noSearch, toHash } from "./call-search.ts";
import { Timeline } from "./call-timeline.tsx";
import { namesOf } from "./line-words.ts";
import { type OpenedCall, useCall } from "./use-call.ts";
import { dialsOf, earningsOf, hearingOf, outcomeOf, type Verdict } from "./verdict.ts";

export const StateBadge = ({ call }: { call: Pick<Call, "status" | "ended_at"> }) => {
  const { label, tone } = toState(call);
  return <span class={`badge badge-${tone}`}>{label}</span>;
};

export const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="call-part" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

const VerdictLine = ({ verdict: { words, advice } }: { verdict: Verdict }) => (
  <li>
    {words}
    {advice !== null && <span class="advice"> {advice}</span>}
  </li>
);

const InShort = ({ details }: { details: Details }) => (
  <ul class="verdicts" aria-label="In short">
    <VerdictLine verdict={outcomeOf(details)} />
    <VerdictLine verdict={earningsOf(details)} />
    <VerdictLine verdict={hearingOf(details)} />
  </ul>
);

/** A fact that leads to the calls that share it, where it is known. */
const CallsOf = ({ name, search }: { name: string | null; search: Partial<CallSearch> | null }) => {
  if (name === null) return <span>–</span>;
  if (search === null) return <span>{name}</span>;
  return <a href={toHash({ ...noSearch, hours: "720", ...search })}>{name}</a>;
};

const secondsOf = (value: number | null): string =>
  value === null ? "–" : formatNumber(value, { unit: "seconds", type: "integer" });

const Facts = ({ details }: { details: Details }) => {
  const { call } = details;
  const zone = useZone();
  const with_ = (name: keyof CallSearch, id: string | null) => (id === null ? null : { [name]: id });
  const instant = (time: string | null): string => (time === null ? "–" : formatInstant(time, zone));
  const place = [call.caller_state, call.caller_zip].filter((part) => part !== null).join(" ");
  const facts: (readonly [string, ComponentChildren])[] = [
    ["Caller", <CallsOf name={call.caller_id} search={with_("caller", call.caller_id)} />],
    ["Caller's place", place || "–"],
    ["Number dialed", <CallsOf name={call.number} search={with_("number", call.number)} />],
    ["Campaign", <CallsOf name={call.campaign_name} search={with_("campaign", call.campaign_id)} />],
    ["Publisher", <CallsOf name={call.publisher_name} search={with_("publisher", call.publisher_id)} />],
    ["Buyer", <CallsOf name={call.buyer_name} search={with_("buyer", call.buyer_id)} />],
    [
      call.status === "failed" ? "Last dialed" : "Destination",
      <CallsOf name={destinationOf(call)} search={with_("target", call.target_id)} />,
    ],
    ["Came in", instant(call.started_at)],
    ["Connected", instant(call.connected_at)],
    ["Ended", instant(call.ended_at)],
    ["Connected for", secondsOf(call.connect_duration)],
    ["Duration", secondsOf(call.duration)],
    ["Dials", String(dialsOf(details))],
    ["Called before", call.repeat_caller ? "Yes" : "No"],
    [
      "Duplicate",
      call.duplicate_of === null ? (
        call.is_duplicate ? (
          "Yes"
        ) : (
          "No"
        )
      ) : (
        <a href={callHash(call.duplicate_of)}>of this call</a>
      ),
    ],
    ["Do-not-call list", call.tcpa_result === null ? "Not asked" : call.tcpa_result.replaceAll("_", " ")],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {call.recording_url !== null && (
        <div>
          <dt>Recording</dt>
          <dd>
            {isLink(call.recording_url) ? (
              <a href={call.recording_url} target="_blank" rel="noreferrer">
                Listen
              </a>
            ) : (
              call.recording_url
            )}
          </dd>
        </div>
      )}
    </dl>
  );
};

const Tags = ({ tags }: Pick<Call, "tags">) => {
  const all = Object.entries(tags);
  if (all.length === 0) return <p class="soft">No tags.</p>;
  return (
    <dl class="tags">
      {all.map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>
            <a href={toHash({ ...noSearch, hours: "720", tag: `${key}=${value}` })}>{value === "" ? "empty" : value}</a>
          </dd>
        </div>
      ))}
    </dl>
  );
};

type WholeProps = { readonly details: Details; readonly waitFor: ReturnType<typeof useCall>["waitFor"] };

const Whole = ({ details, waitFor }: WholeProps) => {
  const zone = useZone();
  const { call } = details;
  return (
    <>
      <header class="call-head">
        <h1>
          Call from {isAnonymous(call.caller_id) ? "an anonymous caller" : call.caller_id} <StateBadge call={call} />
        </h1>
        <span class="record-actions">
          <CopyButton label="Copy link" text={() => location.href} />
          <CopyButton label="Copy id" text={() => call.call_id} />
        </span>
        <p class="soft">
          {formatInstant(call.started_at, zone)}, {zone} · <span class="call-id">{call.call_id}</span>
        </p>
      </header>
      <InShort details={details} />
      {details.truncated && (
        <p class="notice">There is more on record of this call than can be shown here: not every line stands below.</p>
      )}
      <div class="call-columns">
        <div class="call-main">
          <Part title="Facts">
            <Facts details={details} />
          </Part>
          <Part title="Money">
            <Money details={details} waitFor={waitFor} />
          </Part>
          <Part title="Route">
            <Routes details={details} />
            {call.number !== null && (
              <p>
                <a href={dryRunHash({ to: call.number, from: call.caller_id ?? "" })}>Who would take it now?</a>
              </p>
            )}
          </Part>
          <Part title="Bids">
            <Bids bids={details.bids} />
          </Part>
          <Part title="Webhooks">
            <CallHooks details={details} waitFor={waitFor} />
          </Part>
        </div>
        <div class="call-main">
          <Part title="Timeline">
            <Timeline lines={details.timeline} names={namesOf(details)} />
          </Part>
          <Part title="Tags">
            <Tags tags={call.tags} />
          </Part>
        </div>
      </div>
    </>
  );
};

type NotOpenProps = { readonly opened: Exclude<OpenedCall, { kind: "open" }>; readonly onRetry: () => void };

const NotOpen = ({ opened, onRetry }: NotOpenProps) => {
  if (opened.kind === "missing")
    return (
      <>
        <h1>No such call</h1>
        <p class="notice" role="alert">
          {opened.words}
        </p>
        <p class="soft">
          Check the id; a call that has just come in takes a moment to appear, and old calls are removed when their time
          is up.
        </p>
      </>
    );
  return (
    <>
      <h1 class="visually-hidden">Call</h1>
      {opened.kind === "failed" ? (
        <ReadProblem problem={opened.problem} onRetry={onRetry} />
      ) : (
        <p class="soft" role="status">
          Opening…
        </p>
      )}
    </>
  );
};

/** One call whole: what became of it and why, its money, route and webhooks, and all that happened in order. */
export const CallView = ({ id, backHash }: { id: string; backHash: string }) => {
  const { opened, open, waitFor } = useCall(id);
  const view = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    view.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  useEscape(() => {
    location.hash = backHash;
  });
  return (
    <main class="call" ref={view} tabIndex={-1}>
      <a class="quiet back" href={backHash}>
        <BackIcon />
        All calls
      </a>
      {opened.kind === "open" ? (
        <Whole details={opened.details} waitFor={waitFor} />
      ) : (
        <NotOpen opened={opened} onRetry={open} />
      )}
    </main>
  );
};
