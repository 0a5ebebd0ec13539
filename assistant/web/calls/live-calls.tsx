import { useEffect, useState } from "preact/hooks";
import { nowMs } from "../clock.ts";
import { formatCount, formatNumber } from "../format.ts";
import { callHash } from "../hash-location.ts";
import { type Call, callerWords, destinationOf } from "./call.ts";
import { StateBadge } from "./call-view.tsx";
import type { LiveCalls as Live } from "./use-call-page.ts";

const shownAtFirst = 6;

/** Whole seconds since then, kept up. */
const useSecondsSince = (time: string): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
};

const Since = ({ time }: { time: string }) => (
  <>{formatNumber(useSecondsSince(time), { unit: "seconds", type: "integer" })}</>
);

const Row = ({ call }: { call: Call }) => (
  <li>
    <a class="record-row live-row" href={callHash(call.call_id)}>
      <StateBadge call={call} />
      <span class="record-what">
        <strong>{callerWords(call.caller_id)}</strong>
        <span class="soft">
          {[call.campaign_name, destinationOf(call) ?? call.buyer_name].filter((part) => part !== null).join(" → ")}
        </span>
      </span>
      <span class="record-when">
        <Since time={call.connected_at ?? call.started_at} />
      </span>
    </a>
  </li>
);

/** Calls in progress, the newest first. */
export const LiveCalls = ({ live }: { live: Live }) => {
  const [all, setAll] = useState(false);
  const { rows, total, isStale } = live;
  const shown = all ? rows : rows.slice(0, shownAtFirst);
  return (
    <section class="live-calls" aria-labelledby="live-title">
      <h2 id="live-title">{formatCount(total, "live call")}</h2>
      {isStale && <p class="notice">The live calls cannot be read now; they are tried again every few seconds.</p>}
      {shown.length > 0 && (
        <ul class="live-list">
          {shown.map((call) => (
            <Row key={call.call_id} call={call} />
          ))}
        </ul>
      )}
      {(rows.length > shownAtFirst || all) && (
        <button type="button" class="quiet small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show ${rows.length < total ? `the newest ${rows.length}` : `all ${rows.length}`}`}
        </button>
      )}
    </section>
  );
};
