import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { formatCell, formatCount, isNumeric, toLabel } from "../format.ts";
import { hasInstants } from "../format-time.ts";
import { callHash } from "../hash-location.ts";
import { NarrowPanel } from "../narrow/narrow-panel.tsx";
import type { Narrowable } from "../narrow/use-narrowing.ts";
import { useZone } from "../session-context.ts";
import { Unbroken } from "../unbroken.tsx";
import type { Cell, Column, Data, Row } from "../wire.ts";
import { nextSorting, type Sorting, sortRows, toDelimited } from "./rows.ts";

type Props = {
  readonly data: Data;
  readonly caption: string;
  /** Lets rows be looked into; without it, they are not. */
  readonly narrowable?: Narrowable | null;
};

// A screenful: a phone should not lay out thousands of cells unasked.
const rowsAtFirst = 20;

/** Figures are aligned right; the first column labels the row, and is aligned left even where it is a number. */
const alignment = (column: Column, at: number): string => (isNumeric(column) && at > 0 ? "figure-cell" : "word-cell");

const countWords = (data: Data): string =>
  data.truncated
    ? `First ${formatCount(data.rows.length, "row")}. Narrow the question to see the rest.`
    : formatCount(data.row_count, "row");

type HeadProps = {
  readonly column: Column;
  readonly at: number;
  readonly sorting: Sorting | null;
  readonly onSort: () => void;
};

const Head = ({ column, at, sorting, onSort }: HeadProps) => (
  <th
    scope="col"
    class={alignment(column, at)}
    aria-sort={sorting?.column === column.name ? sorting.direction : "none"}
  >
    <button type="button" onClick={onSort}>
      {toLabel(column.name)}
    </button>
  </th>
);

/** A cell's text; the id of a call leads to the call. */
export const CellText = ({ cell, column, zone }: { cell: Cell; column: Column; zone: string }) => {
  const text = formatCell(cell, column, zone);
  if (!isCallId(column) || typeof cell !== "string" || cell === "") return <Unbroken text={text} />;
  return <a href={callHash(cell)}>{text}</a>;
};

const isCallId = ({ name }: Column): boolean => ["call_id", "call_log_id", "duplicate_of"].includes(name);

type RowProps = {
  readonly row: Row;
  readonly columns: readonly Column[];
  readonly zone: string;
  readonly narrowable: Narrowable | null;
};

/** A row, and below it what it leads on to, where it is chosen. */
const BodyRow = ({ row, columns, zone, narrowable }: RowProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = narrowable?.chosen === row;
  const canChoose = narrowable?.canChoose(row) === true;
  return (
    <>
      <tr>
        {columns.map((column, at) => {
          const text = <CellText cell={row[column.name] ?? null} column={column} zone={zone} />;
          return (
            <td key={column.name} class={alignment(column, at)}>
              {at === 0 && canChoose ? (
                <button
                  type="button"
                  class="row-button"
                  ref={button}
                  aria-expanded={isOpen}
                  onClick={() => narrowable.choose(row)}
                >
                  {text}
                </button>
              ) : (
                text
              )}
            </td>
          );
        })}
      </tr>
      {isOpen && narrowable !== null && (
        <tr class="narrow-row">
          <td colSpan={columns.length}>
            <NarrowPanel
              title={narrowable.title}
              options={narrowable.options}
              onChoose={narrowable.ask}
              onClose={() => {
                narrowable.close();
                button.current?.focus({ preventScroll: true });
              }}
            />
          </td>
        </tr>
      )}
    </>
  );
};

type BodyProps = Omit<RowProps, "row"> & { readonly rows: readonly Row[] };

const Body = ({ rows, ...rest }: BodyProps) => (
  <tbody>
    {rows.map((row, index) => (
      <BodyRow key={index} row={row} {...rest} />
    ))}
  </tbody>
);

/** The rows of an answer: a click on a header sorts them, and they are copied in the order shown. */
export const DataTable = ({ data, caption, narrowable = null }: Props) => {
  const zone = useZone();
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [all, setAll] = useState(false);
  const scroll = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Paper has no button to show the rest.
    const showAll = (): void => setAll(true);
    addEventListener("beforeprint", showAll);
    return () => removeEventListener("beforeprint", showAll);
  }, []);
  const rows = useMemo(() => sortRows(data.rows, sorting, data.columns), [data, sorting]);
  const shown = all ? rows : rows.slice(0, rowsAtFirst);
  const copyAs = (separator: "," | "\t") => () => toDelimited({ columns: data.columns, rows: [...rows] }, separator);

  return (
    <div class="rows">
      <div class="rows-bar">
        <span class="soft">
          {countWords(data)}
          {hasInstants(data) && `, times in ${zone}`}
        </span>
        <span class="rows-actions">
          <CopyButton label="Copy CSV" text={copyAs(",")} />
          <CopyButton label="Copy for a spreadsheet" text={copyAs("\t")} />
        </span>
      </div>
      {/* biome-ignore-start lint/a11y: a wide table must scroll by keyboard too, and no answer's rows are a landmark */}
      <div class="rows-scroll" role="group" aria-label="Rows" tabIndex={0} ref={scroll}>
        {/* biome-ignore-end lint/a11y: of the element above */}
        <table>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {data.columns.map((column, at) => (
                <Head
                  key={column.name}
                  column={column}
                  at={at}
                  sorting={sorting}
                  onSort={() => setSorting(nextSorting(sorting, column))}
                />
              ))}
            </tr>
          </thead>
          <Body rows={shown} columns={data.columns} zone={zone} narrowable={narrowable} />
        </table>
      </div>
      {shown.length < rows.length && (
        <button
          type="button"
          class="quiet more"
          onClick={() => {
            // The button disappears, and would take the focus with it.
            scroll.current?.focus({ preventScroll: true });
            setAll(true);
          }}
        >
          Show all {formatCount(rows.length, "row")}
        </button>
      )}
    </div>
  );
};
