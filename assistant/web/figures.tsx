import { formatCell, isNumeric, toLabel } from "./format.ts";
import { toFigures } from "./to-figures.ts";
import type { Column, Data, Row } from "./wire.ts";

const cellOf = (row: Row, column: Column): string => formatCell(row[column.name] ?? null, column);

/** One row said large: each figure under its name, and under it how it compares. */
export const Figures = ({ data }: { data: Data }) => {
  const row = data.rows[0] ?? {};
  return (
    <dl class="figures">
      {toFigures(data.columns).map(({ column, before, change }) => (
        <div key={column.name} class={isNumeric(column) ? "figure" : "figure figure-words"}>
          <dt>{toLabel(column.name)}</dt>
          <dd>{cellOf(row, column)}</dd>
          {before !== undefined && (
            <dd class="figure-before">
              {change !== undefined && <strong>{cellOf(row, change)}</strong>} against {cellOf(row, before)}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
};
