import { formatCount } from "../format.ts";
import { formatShort } from "../format-time.ts";
import { PeriodPicker } from "../period/period-picker.tsx";
import { campaignHash, listHash } from "../routing/routing.ts";
import { useZone } from "../session-context.ts";
import {
  type At,
  type Attached,
  failureWords,
  type Incoming,
  type Outgoing,
  refusalWords,
  toHash,
  waitingWords,
} from "./webhooks.ts";

export const Badge = ({ label, tone }: { label: string; tone: string }) => (
  <span class={`badge badge-${tone}`}>{label}</span>
);

/** Deliveries that wait while it is paused, and their fate when it is resumed. */
export const Waiting = ({ row }: { row: Outgoing }) => {
  const words = waitingWords(row, useZone());
  return words === "" ? null : <p class="soft hook-waiting">{words}</p>;
};

/** Figures by their names, on one line or several. */
export const Figures = ({ figures }: { figures: readonly (readonly [string, string])[] }) =>
  figures.length === 0 ? (
    <p class="soft">The figures cannot be read now.</p>
  ) : (
    <dl class="hook-figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );

const recordHash = (direction: At["direction"], id: string): string => {
  const query = new URLSearchParams({ ...(direction === "incoming" && { direction }), open: id });
  return `#deliveries?${query}`;
};

/** When it last failed and why, leading to the record. */
export const LastFailure = ({ stats }: Pick<Outgoing, "stats">) => {
  const zone = useZone();
  const failure = stats?.last_failure ?? null;
  if (failure === null) return null;
  return (
    <p>
      Last failure <a href={recordHash("outgoing", failure.id)}>{formatShort(failure.at, zone)}</a>:{" "}
      {failureWords(failure)}.
    </p>
  );
};

export const LastRefusal = ({ stats }: Pick<Incoming, "stats">) => {
  const zone = useZone();
  const refusal = stats?.last_refusal ?? null;
  if (refusal === null) return null;
  const why = refusalWords(refusal.response_body);
  return (
    <p>
      Last refusal <a href={recordHash("incoming", refusal.id)}>{formatShort(refusal.at, zone)}</a>: answered{" "}
      {refusal.response_status_code ?? "nothing"}
      {why === "" ? "." : `, “${why}”`}
    </p>
  );
};

const holderHash = ({ kind, id, name }: Attached["data"][number]): string =>
  kind === "campaign" ? campaignHash(id) : listHash(kind, name);

/** Links to the resources that name the webhook. */
export const AttachedTo = ({ attached }: { attached: Attached }) => (
  <>
    {attached.data.map((holder, index) => (
      <span key={`${holder.kind} ${holder.id}`}>
        {index > 0 && ", "}
        <a href={holderHash(holder)}>{holder.name}</a>
      </span>
    ))}
    {attached.count > attached.data.length && ` and ${formatCount(attached.count - attached.data.length, "other")}`}
  </>
);

/** The choice of the figures' period; a list begins at its first page again. */
export const PeriodSelect = ({ at }: { at: At }) => (
  <PeriodPicker
    label="Figures of"
    span={at}
    onChange={(span) => {
      location.hash = toHash({ ...at, ...span, offset: 0 });
    }}
  />
);
