import { noSearch, toHash } from "../calls/call-search.ts";
import { reasonOf, sentenceCase } from "../calls/reasons.ts";
import { toLabel } from "../format.ts";
import type { Span } from "../period/spans.ts";
import type { DayWords } from "./day-words.ts";
import type { Overview, Ranked } from "./overview.ts";
import type { PartyKind, Questions } from "./questions.ts";
import { formatRate, formatUnit } from "./wording.ts";

const parties = [
  { kind: "campaign", title: "Top campaigns", part: "campaigns" },
  { kind: "publisher", title: "Top publishers", part: "publishers" },
  { kind: "buyer", title: "Top buyers", part: "buyers" },
] as const;

type Props = { readonly overview: Overview | null; readonly questions: Questions; readonly words: DayWords };

/** Why a list is empty: it is not read yet, cannot be read, or nothing has happened. */
export const Nothing = ({ overview, text }: { overview: Overview | null; text: string }) => (
  <p class="soft">{overview === null ? "" : overview.reports === null ? "Not known now." : text}</p>
);

type TableProps = { readonly kind: PartyKind; readonly rows: readonly Ranked[]; readonly questions: Questions };

const RankedTable = ({ kind, rows, questions }: TableProps) => (
  <table>
    <thead>
      <tr>
        <th scope="col">{toLabel(kind)}</th>
        <th scope="col">Calls</th>
        <th scope="col">Revenue</th>
        <th scope="col">
          <abbr title="Conversion rate">Conv.</abbr>
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, calls, revenue, conversion_rate }) => (
        <tr key={name}>
          <th scope="row" title={name ?? undefined}>
            <a href={questions.party(kind, name)}>{name ?? `No ${kind}`}</a>
          </th>
          <td>{formatUnit(calls, "count")}</td>
          <td>{formatUnit(revenue, "money")}</td>
          <td>{formatRate(conversion_rate)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The campaigns, publishers and buyers of the most revenue of the day. */
export const Rankings = ({ overview, questions, words }: Props) => (
  <>
    {parties.map(({ kind, title, part }) => {
      const rows = overview?.reports?.[part] ?? [];
      return (
        <section key={kind} class="panel ranked" aria-labelledby={`top-${kind}`}>
          <h2 id={`top-${kind}`}>
            <a href={questions.top(kind)}>{title}</a>
          </h2>
          {rows.length > 0 ? (
            <RankedTable kind={kind} rows={rows} questions={questions} />
          ) : (
            <Nothing
              overview={overview}
              text={`No call with a ${kind} ${words.byNow === "" ? "" : "yet "}${words.on}.`}
            />
          )}
        </section>
      );
    })}
  </>
);

/** The day's calls that no target answered, by reason. */
export const Failures = ({ overview, questions, words, span }: Props & { readonly span: Span }) => {
  const rows = overview?.reports?.failures ?? [];
  return (
    <section class="panel" aria-labelledby="failures-title">
      <h2 id="failures-title">
        <a href={questions.failures()}>Failed calls by reason</a>
      </h2>
      {rows.length === 0 && (
        <Nothing
          overview={overview}
          text={words.byNow === "" ? "No call failed that day." : "No call has failed today."}
        />
      )}
      <ul class="panel-rows">
        {rows.map(({ reason, calls }) => (
          <li key={reason}>
            <a href={toHash({ ...noSearch, ...span, status: "failed", reason: reason ?? "" })}>
              {reason === null ? "Unknown" : sentenceCase(reasonOf(reason).words)}
            </a>
            <span>{formatUnit(calls, "count")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};
