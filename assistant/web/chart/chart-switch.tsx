import { useMemo, useRef, useState } from "preact/hooks";
import { useArrowKeys } from "../arrow-keys.ts";
import { toLabel } from "../format.ts";
import type { ChartSuggestion, Data } from "../wire.ts";
import { looksOf } from "./chart-types.ts";
import { ChartView } from "./chart-view.tsx";

type Props = { readonly chart: ChartSuggestion | null | undefined; readonly data: Data };

const words: Readonly<Record<string, string>> = {
  line: "Line",
  bar: "Bars",
  area: "Area",
  pie: "Pie",
  heat_map: "Heat map",
  scatter: "Scatter",
  table: "Table",
};

/** The suggested chart, and the other looks that tell the truth of the same rows. */
export const ChartSwitch = ({ chart, data }: Props) => {
  const looks = useMemo(() => looksOf(chart, data), [chart, data]);
  const [chosen, choose] = useState<string | null>(null);
  const row = useRef<HTMLFieldSetElement>(null);
  useArrowKeys(row);
  const look = looks.find(({ type }) => type === chosen) ?? looks[0];
  if (!chart || look === undefined) return null;
  return (
    <div class="charted">
      <fieldset class="looks" ref={row}>
        <legend class="visually-hidden">Show as</legend>
        {looks.map(({ type }) => (
          <button key={type} type="button" aria-pressed={type === look.type} onClick={() => choose(type)}>
            {words[type] ?? toLabel(type)}
          </button>
        ))}
      </fieldset>
      {look.spec !== null && (
        <ChartView chart={{ ...chart, type: look.type, vega_lite: look.spec }} spec={look.spec} data={data} />
      )}
    </div>
  );
};
