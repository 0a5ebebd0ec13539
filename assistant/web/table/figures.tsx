import { formatCell, isNumeric, toLabel } from "../format.ts";
import { hasInstants } from "../format-time.ts";
import { useZone } from "../session-context.ts";
import type { Column, Data } from "../wire.ts";
import { CellText } from "./data-table.tsx";
import { toFigures } from "./rows.ts";

/** A single row in large type: each figure under its name, with its comparison below. */
export const Figures = ({ data }: { data: Data }) => {
  const zone = useZone();
  const row = data.rows[0] ?? {};
  const cellOf = (column: Column): string => formatCell(row[column.name] ?? null, column, zone);
  return (
    <>
      <dl class="figures">
        {toFigures(data.columns).map(({ column, before, change }) => (
          <div key={column.name} class={isNumeric(column) ? "figure" : "figure figure-words"}>
            <dt>{toLabel(column.name)}</dt>
            <dd>
              <CellText cell={row[column.name] ?? null} column={column} zone={zone} />
            </dd>
            {before !== undefined && (
              <dd class="figure-before">
                {change !== undefined && <strong>{cellOf(change)}</strong>} against {cellOf(before)}
              </dd>
            )}
          </div>
        ))}
      </dl>
      {hasInstants(data) && <p class="soft">Times in {zone}</p>}
    </>
  );
};
