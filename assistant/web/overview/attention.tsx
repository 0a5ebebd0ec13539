import { noSearch as allCalls, toHash as callsHash } from "../calls/call-search.ts";
import { sentenceCase } from "../calls/reasons.ts";
import { formatCount } from "../format.ts";
import { formatMinute } from "../format-time.ts";
import { webhookHash } from "../hash-location.ts";
import type { DayWords } from "./day-words.ts";
import type { Overview, UsedCap } from "./overview.ts";
import type { Questions } from "./questions.ts";
import { capWords, formatRate, formatUnit, stateWords, unknown } from "./wording.ts";

type Props = { readonly overview: Overview | null; readonly questions: Questions; readonly words: DayWords };

/** Buyers' answers to requests for bids, beside those of the same part of the day before. */
export const Bids = ({ overview, questions, words }: Props) => {
  const bids = overview?.reports?.bids;
  const { today, yesterday } = bids ?? {};
  const before = words.yesterday.toLowerCase();
  return (
    <section class="panel" aria-labelledby="bids-title">
      <h2 id="bids-title">
        <a href={questions.bids()}>Bids</a>
      </h2>
      {today?.requests === 0 ? (
        <p class="soft">No bid was asked for {words.on}.</p>
      ) : (
        <ul class="panel-rows">
          <li>
            <a href={questions.bids()}>Requests to buyers</a>
            <span>{today === undefined ? unknown : formatUnit(today.requests, "count")}</span>
            <small>
              {before} {yesterday === undefined ? unknown : formatUnit(yesterday.requests, "count")}
            </small>
          </li>
          <li>
            <a href={questions.bids()}>Bid rate</a>
            <span>{formatRate(today?.bid_rate ?? null)}</span>
            <small>
              {before} {formatRate(yesterday?.bid_rate ?? null)}
            </small>
          </li>
          <li>
            <a href={questions.timeouts()}>Timeouts</a>
            <span>
              {today === undefined
                ? unknown
                : `${formatUnit(today.timeouts, "count")} (${formatRate(today.timeout_rate)})`}
            </span>
            <small>
              {before} {yesterday === undefined ? unknown : formatUnit(yesterday.timeouts, "count")}
            </small>
          </li>
        </ul>
      )}
    </section>
  );
};

/** The id of the heading above what is in trouble. */
export const troubleId = "webhooks-title";

/** The day's deliveries, and the webhooks that fail or are paused now. */
export const Webhooks = ({ overview, questions, words }: Props) => {
  const webhooks = overview?.webhooks;
  const deliveries = overview?.reports?.deliveries;
  return (
    <section class="panel" aria-labelledby={troubleId}>
      <h2 id={troubleId}>
        <a href="#webhooks">Webhooks</a>
      </h2>
      <ul class="panel-rows">
        <li>
          <a href={questions.deliveries()}>Failed attempts {words.on}</a>
          <span>
            {deliveries === undefined
              ? unknown
              : `${formatUnit(deliveries.failed, "count")} of ${formatUnit(deliveries.attempts, "count")}`}
          </span>
        </li>
        {webhooks?.data.map((webhook) => (
          <li key={webhook.id}>
            <a href={webhookHash("outgoing", webhook.id)}>{webhook.name}</a>
            <span class="badge badge-bad">{sentenceCase(webhook.delivery_state)}</span>
            <small>{stateWords(webhook, overview?.timezone ?? "UTC")}</small>
          </li>
        ))}
      </ul>
      {webhooks?.data.length === 0 && (
        <p class="soft">
          {webhooks.count === 0
            ? "There is no outgoing webhook yet."
            : `${formatCount(webhooks.count, "webhook")}: none is failing or paused.`}
        </p>
      )}
    </section>
  );
};

/** Today's calls of what has the cap. */
const callsOf = ({ kind, id }: UsedCap): string =>
  callsHash({ ...allCalls, hours: "today", [kind === "rtb_formula" ? "rtb" : kind]: id });

/** Caps and limits of concurrency that are nearly or wholly used. */
export const Caps = ({ overview }: Pick<Props, "overview">) => {
  const caps = overview?.caps;
  const zone = overview?.timezone ?? "UTC";
  return (
    <section class="panel" aria-labelledby="caps-title">
      <h2 id="caps-title">Caps nearly used</h2>
      {caps?.count === 0 && <p class="soft">No cap is 80% used.</p>}
      <ul class="panel-rows">
        {caps?.data.map((cap) => (
          <li key={`${cap.id} ${cap.type} ${cap.period}`}>
            <a href={callsOf(cap)}>{cap.name}</a>
            {cap.reached ? (
              <span class="badge badge-bad">Reached</span>
            ) : (
              <span>{formatRate(cap.used / cap.limit)}</span>
            )}
            <small>
              {capWords(cap)}
              {cap.resets_at === null ? "" : `, until ${formatMinute(cap.resets_at, zone)}`}
            </small>
          </li>
        ))}
      </ul>
      {caps !== undefined && caps.count > caps.data.length && (
        <p class="soft">And {formatUnit(caps.count - caps.data.length, "count")} more.</p>
      )}
    </section>
  );
};
