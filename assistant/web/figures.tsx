import { formatCell, isNumeric, toLabel } from "./format.ts";
import type { Data } from "./wire.ts";

/** One row said large: each figure under its name. */
export const Figures = ({ data }: { data: Data }) => {
  const row = data.rows[0] ?? {};
  return (
    <dl class="figures">
      {data.columns.map((column) => (
        <div key={column.name} class={isNumeric(column) ? "figure" : "figure figure-words"}>
          <dt>{toLabel(column.name)}</dt>
          <dd>{formatCell(row[column.name] ?? null, column)}</dd>
        </div>
      ))}
    </dl>
  );
};
