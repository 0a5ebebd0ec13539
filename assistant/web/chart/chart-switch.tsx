import { useMemo, useState } from "preact/hooks";
import type { ChartSuggestion, Data } from "../wire.ts";
import type { Spec } from "./chart-spec.ts";
import { type ChartLook, firstLook, looksOf, withLook } from "./chart-types.ts";
import { ChartView } from "./chart-view.tsx";

type Props = { readonly chart: ChartSuggestion; readonly spec: Spec; readonly data: Data };

const words: Readonly<Record<ChartLook, string>> = { line: "Line", bar: "Bars", area: "Area", table: "Table only" };
const isKnown = ({ type }: ChartSuggestion): boolean => type === "line" || type === "bar";

/** The suggested chart, and the other looks that are legal for it. */
export const ChartSwitch = ({ chart, spec, data }: Props) => {
  const [look, setLook] = useState(() => firstLook(chart, spec));
  const looks = isKnown(chart) ? looksOf(chart, spec) : [];
  const drawn = useMemo(() => withLook(chart, spec, look), [chart, spec, look]);
  return (
    <div class="charted">
      {looks.length > 1 && (
        <fieldset class="looks">
          <legend class="visually-hidden">Show as</legend>
          {looks.map((each) => (
            <button key={each} type="button" aria-pressed={each === look} onClick={() => setLook(each)}>
              {words[each]}
            </button>
          ))}
        </fieldset>
      )}
      {look !== "table" && (
        <ChartView chart={{ ...chart, type: isKnown(chart) ? look : chart.type }} spec={drawn} data={data} />
      )}
    </div>
  );
};
