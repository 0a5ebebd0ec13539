import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { writeFigure } from "../../phrasing/write-figure.ts";
import { nowMs } from "../clock.ts";
import { formatCell, formatCount, isNumeric, noValue } from "../format.ts";
import { formatShort } from "../format-time.ts";
import { callHash } from "../hash-location.ts";
import { ReadProblem } from "../paged-list.tsx";
import { errorText } from "../problem.ts";
import { useMay, useSession, useZone } from "../session-context.ts";
import type { Cell } from "../wire.ts";
import { type Call, callerWords } from "./call.ts";
import { type CallColumn, callColumns, useChosenColumns } from "./call-columns.ts";
import { type CallSearch, parametersOf, toHash } from "./call-search.ts";
import { StateBadge } from "./call-view.tsx";
import { reasonWords, sentenceCase } from "./reasons.ts";
import type { CallPage, useCallPage } from "./use-call-page.ts";

const cellOf = (call: Call, { name }: CallColumn): Cell => {
  const value = call[name];
  if (name === "caller_id") return callerWords(call.caller_id);
  if (name === "tags")
    return Object.entries(call.tags)
      .map(([key, text]) => `${key}=${text}`)
      .join(", ");
  return value === undefined ? null : (value as Cell);
};

const alignment = (column: CallColumn): string => (isNumeric(column) ? "figure-cell" : "word-cell");

/** A click in a row opens its call, as its link does by keyboard; but not one on a link, or one that ends the marking of text. */
const openCall = ({ target }: MouseEvent, { call_id }: Call): void => {
  if (target instanceof Element && target.closest("a") !== null) return;
  if (getSelection()?.isCollapsed === false) return;
  location.hash = callHash(call_id);
};

const Row = ({ call, columns, isLast }: { call: Call; columns: readonly CallColumn[]; isLast: boolean }) => {
  const zone = useZone();
  return (
    <tr data-last={isLast ? "true" : undefined} onClick={(event) => openCall(event, call)}>
      <td>
        <a href={callHash(call.call_id)} data-call={call.call_id}>
          <time dateTime={call.started_at}>{formatShort(call.started_at, zone)}</time>
        </a>
      </td>
      <td>
        <StateBadge call={call} />
        {call.failure_reason !== null && (
          <span class="state-reason soft">{sentenceCase(reasonWords(call.failure_reason))}</span>
        )}
      </td>
      {columns.map((column) => {
        const text = formatCell(cellOf(call, column), column, zone);
        return (
          <td key={column.name} class={alignment(column)} title={text}>
            {text}
          </td>
        );
      })}
    </tr>
  );
};

type TableProps = {
  readonly page: CallPage;
  readonly columns: readonly CallColumn[];
  readonly opened: string | null;
  readonly busy: boolean;
};

const Table = ({ page, columns, opened, busy }: TableProps) => (
  // biome-ignore lint/a11y: a wide table must scroll by keyboard too, and its rows are no set of fields
  <div class="rows-scroll" role="group" aria-label="Calls" tabIndex={0} aria-busy={busy}>
    <table>
      <caption class="visually-hidden">The call log, newest first</caption>
      <thead>
        <tr>
          <th scope="col" class="word-cell">
            When
          </th>
          <th scope="col" class="word-cell">
            State
          </th>
          {columns.map((column) => (
            <th key={column.name} scope="col" class={alignment(column)}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {page.rows.map((call) => (
          <Row key={call.call_id} call={call} columns={columns} isLast={call.call_id === opened} />
        ))}
      </tbody>
    </table>
  </div>
);

/** The same rows for a narrow window: a line for who called, and one for each kind of column. */
const NarrowList = ({ page, columns, opened, busy }: TableProps) => {
  const zone = useZone();
  const worded = columns.filter((column) => !isNumeric(column) && column.name !== "caller_id");
  const figures = columns.filter(isNumeric);
  return (
    <ul class="records narrow-calls" aria-label="Calls" aria-busy={busy}>
      {page.rows.map((call) => {
        const shown = (column: CallColumn): string => formatCell(cellOf(call, column), column, zone);
        const words = worded.map(shown).filter((text) => text !== noValue);
        return (
          <li key={call.call_id}>
            <a
              class="narrow-call"
              href={callHash(call.call_id)}
              data-call={call.call_id}
              data-last={call.call_id === opened ? "true" : undefined}
            >
              <StateBadge call={call} />
              <time class="soft" dateTime={call.started_at}>
                {formatShort(call.started_at, zone)}
              </time>
              <strong>{callerWords(call.caller_id)}</strong>
              {call.failure_reason !== null && <span>{sentenceCase(reasonWords(call.failure_reason))}</span>}
              {words.length > 0 && <span class="soft">{words.join(" · ")}</span>}
              {figures.length > 0 && (
                <span class="soft">{figures.map((column) => `${column.label} ${shown(column)}`).join(" · ")}</span>
              )}
            </a>
          </li>
        );
      })}
    </ul>
  );
};

const narrow = "(width < 40rem)";

/** True where the window is too narrow for a table. */
const useNarrow = (): boolean => {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches);
  useLayoutEffect(() => {
    const query = matchMedia(narrow);
    const update = (): void => setNarrow(query.matches);
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, []);
  return isNarrow;
};

type ColumnsProps = Pick<ReturnType<typeof useChosenColumns>, "columns" | "toggle" | "reset">;

const ColumnChoice = ({ columns, toggle, reset }: ColumnsProps) => (
  <fieldset class="column-choice">
    <legend>Columns</legend>
    {callColumns.map(({ name, label }) => (
      <label key={name}>
        <input type="checkbox" checked={columns.some((column) => column.name === name)} onChange={() => toggle(name)} />
        {label}
      </label>
    ))}
    <button type="button" class="quiet small" onClick={reset}>
      The usual ones
    </button>
  </fieldset>
);

const formats = [
  { format: "csv", label: "CSV" },
  { format: "parquet", label: "Parquet" },
] as const;

/** The first of an export's columns: what the list always shows, when and state, where the file has three columns. */
const alwaysExported = ["started_at", "status", "failure_reason"];

/** Saves all calls of the search as a file, with the columns that are shown. */
const Exports = ({ search, columns }: { search: CallSearch; columns: readonly CallColumn[] }) => {
  const { client, zone } = useSession();
  const mayExport = useMay("exports:read");
  const [state, setState] = useState<{ readonly busy: string; readonly problem: string }>({ busy: "", problem: "" });
  const save = async (format: string): Promise<void> => {
    if (state.busy !== "") return;
    setState({ busy: format, problem: "" });
    const parameters = new URLSearchParams({
      ...parametersOf(search, { nowMs: nowMs(), zone }),
      format,
      columns: [...alwaysExported, ...columns.map(({ name }) => name)].join(","),
    });
    const problem = await client.download(`/v1/reports/calls/export?${parameters}`, `calls.${format}`).then(
      () => "",
      (error) => errorText(error, 422, 429),
    );
    setState({ busy: "", problem });
  };
  if (!mayExport) return <span class="soft">Analysts can export them.</span>;
  return (
    <>
      {formats.map(({ format, label }) => (
        <button
          key={format}
          type="button"
          class="quiet small"
          aria-label={`Export as ${label}`}
          title={`All calls of this search, in the columns shown, as ${label}`}
          aria-disabled={state.busy !== ""}
          onClick={() => void save(format)}
        >
          {state.busy === format ? "Exporting…" : `Export ${label}`}
        </button>
      ))}
      {state.problem !== "" && (
        <p class="notice" role="alert">
          {state.problem}
        </p>
      )}
    </>
  );
};

const rangeWords = ({ rows, total, offset }: CallPage): string => {
  if (rows.length === 0) return "No calls";
  if (rows.length === total) return formatCount(total, "call");
  return `${writeFigure.count(offset + 1)}–${writeFigure.count(offset + rows.length)} of ${formatCount(total, "call")}`;
};

const Pager = ({ page, search }: { page: CallPage; search: CallSearch }) => {
  if (page.previous === null && page.next === null) return null;
  const link = (cursor: string | null, label: string) =>
    cursor === null ? (
      <span class="secondary" aria-disabled="true">
        {label}
      </span>
    ) : (
      <a class="secondary" href={toHash({ ...search, page: cursor })}>
        {label}
      </a>
    );
  return (
    <nav class="pager" aria-label="Pages">
      {search.page !== "" && page.offset > 0 && (
        <a class="secondary" href={toHash({ ...search, page: "" })}>
          Newest
        </a>
      )}
      {link(page.offset > 0 ? page.previous : null, "Newer")}
      {link(page.next, "Older")}
    </nav>
  );
};

/** Back at the list, the focus is on the call that was open, and the list where it was left. */
const useReturn = (opened: string | null, page: CallPage | null): void => {
  const isDone = useRef(false);
  useLayoutEffect(() => {
    if (isDone.current || opened === null || page === null) return;
    isDone.current = true;
    const row = document.querySelector<HTMLElement>(`[data-call="${CSS.escape(opened)}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "center" });
  }, [opened, page]);
};

const nothingWords = (search: CallSearch): string =>
  search.page === ""
    ? "No call matches. Choose a longer time, or remove filters."
    : "There are no more calls here. Go back to the newest.";

type Props = {
  readonly search: CallSearch;
  readonly log: ReturnType<typeof useCallPage>;
  /** The call that was opened from here last. */
  readonly opened: string | null;
  readonly fresh: number;
  readonly onFresh: () => void;
};

/** The calls of a search: a page of them, its columns to choose, all of them to be exported. */
export const CallLog = ({ search, log, opened, fresh, onFresh }: Props) => {
  const zone = useZone();
  const chosen = useChosenColumns();
  const [choosing, setChoosing] = useState(false);
  const { page, problem, busy, reload } = log;
  const Rows = useNarrow() ? NarrowList : Table;
  useReturn(opened, page);
  if (problem !== null) return <ReadProblem problem={problem} onRetry={reload} />;
  return (
    <section class="call-log" aria-labelledby="calls-title">
      <div class="rows">
        <div class="rows-bar">
          <span class="soft" role="status">
            {page === null || busy
              ? "Reading…"
              : `${rangeWords(page)}${page.rows.length > 0 ? `, times in ${zone}` : ""}`}
          </span>
          <span class="rows-actions">
            {fresh > 0 && (
              <button type="button" class="secondary small" onClick={onFresh}>
                Show {formatCount(fresh, "new call")}
              </button>
            )}
            <button type="button" class="quiet small" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
              Columns
            </button>
            <Exports search={search} columns={chosen.columns} />
          </span>
        </div>
        {choosing && <ColumnChoice {...chosen} />}
        {page !== null && page.rows.length > 0 && (
          <Rows page={page} columns={chosen.columns} opened={opened} busy={busy} />
        )}
        {page !== null && page.rows.length === 0 && <p class="empty">{nothingWords(search)}</p>}
      </div>
      {page !== null && <Pager page={page} search={search} />}
    </section>
  );
};
