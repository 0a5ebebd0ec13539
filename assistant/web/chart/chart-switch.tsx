import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { toLabel } from "../format.ts";
import { useArrowKeys } from "../keyboard.ts";
import { saveFile } from "../save-file.ts";
import type { ChartSuggestion, Data } from "../wire.ts";
import { drawImage, type ImageFormat, imageFormats, imageName, type Titled } from "./chart-file.ts";
import { chartOptions, describeChart, type Spec } from "./chart-spec.ts";
import { type Drawing, drawChart, type Pick } from "./draw-chart.ts";

type ViewProps = {
  readonly chart: ChartSuggestion;
  readonly spec: Spec;
  readonly data: Data;
  readonly onPick: Pick | null;
};
type Progress = "drawing" | "drawn" | "failed";

/** Calls `redraw` when the colour scheme or the element's width changes; returns a function that stops it. */
const observe = (element: HTMLElement, redraw: () => void): (() => void) => {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  let width = element.clientWidth;
  const sizes = new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    redraw();
  });
  sizes.observe(element);
  scheme.addEventListener("change", redraw);
  return () => {
    sizes.disconnect();
    scheme.removeEventListener("change", redraw);
  };
};

const useDrawing = (spec: Spec, rowCount: number, onPick: Pick | null) => {
  const canvas = useRef<HTMLDivElement>(null);
  const [progress, setProgress] = useState<Progress>("drawing");
  // A drawing outlives the rendering that it was made in.
  const latestPick = useRef(onPick);
  latestPick.current = onPick;

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let drawing: Drawing | null = null;
    let latest = 0;
    const draw = async (): Promise<void> => {
      // Hidden, or just removed: it is drawn once it has a width.
      if (element.clientWidth === 0) return;
      latest += 1;
      const mine = latest;
      try {
        const drawn = await drawChart(element, spec, { rowCount, onPick: (datum) => latestPick.current?.(datum) });
        // A newer drawing has begun, or the chart was removed.
        if (mine !== latest) return drawn.finalize();
        drawing?.finalize();
        drawing = drawn;
        element.replaceChildren(drawn.node);
        setProgress("drawn");
      } catch {
        setProgress("failed");
      }
    };
    const stop = observe(element, () => void draw());
    void draw();
    return () => {
      latest = -1;
      stop();
      drawing?.finalize();
    };
  }, [spec, rowCount]);

  return { canvas, progress };
};

/** A chart; where it cannot be drawn, the table below it holds the same figures. */
const ChartView = ({ chart, spec, data, onPick }: ViewProps) => {
  const { canvas, progress } = useDrawing(spec, data.rows.length, onPick);
  if (progress === "failed") return <p class="soft">The chart could not be drawn. The table holds the same figures.</p>;
  return (
    <figure class="chart" data-progress={progress} data-picked={onPick === null ? undefined : "marks"}>
      <div class="canvas" ref={canvas} role="img" aria-label={describeChart(chart, data)} />
    </figure>
  );
};

type Props = {
  readonly chart: ChartSuggestion | null | undefined;
  readonly data: Data;
  /** Shown where the table is chosen, unless it stands beside the chart anyway. */
  readonly table?: ComponentChildren;
  /** Called with what was clicked in the chart; without it, a click does nothing. */
  readonly onPick?: Pick | null;
  /** The chart's content in words, as the title and the name of its files; without it, it is not saved. */
  readonly title?: string;
};

const SaveImage = ({ spec, titled }: { spec: Spec; titled: Titled }) => {
  const [problem, setProblem] = useState("");
  const save = async (format: ImageFormat): Promise<void> => {
    setProblem("");
    await drawImage(spec, format, titled).then(
      (image) => saveFile(image, imageName(titled.title, format)),
      () => setProblem("The chart could not be saved."),
    );
  };
  return (
    <span class="chart-files">
      {problem !== "" && <span role="alert">{problem}</span>}
      {imageFormats.map((format) => (
        <button
          key={format}
          type="button"
          class="quiet small"
          aria-label={`Save the chart as ${format.toUpperCase()}`}
          onClick={() => void save(format)}
        >
          {format.toUpperCase()}
        </button>
      ))}
    </span>
  );
};

const words: Readonly<Record<string, string>> = {
  line: "Line",
  bar: "Bars",
  area: "Area",
  pie: "Pie",
  heat_map: "Heat map",
  scatter: "Scatter",
  table: "Table",
};

/** The suggested chart, and buttons for other ways to draw the same rows. */
export const ChartSwitch = ({ chart, data, table, onPick = null, title = "" }: Props) => {
  const options = useMemo(() => chartOptions(chart, data), [chart, data]);
  const [chosen, choose] = useState<string | null>(null);
  const row = useRef<HTMLFieldSetElement>(null);
  useArrowKeys(row);
  const option = options.find(({ type }) => type === chosen) ?? options[0];
  if (!chart || option === undefined) return null;
  return (
    <div class="charted">
      <div class="chart-bar">
        <fieldset class="looks" ref={row}>
          <legend class="visually-hidden">Show as</legend>
          {options.map(({ type }) => (
            <button key={type} type="button" aria-pressed={type === option.type} onClick={() => choose(type)}>
              {words[type] ?? toLabel(type)}
            </button>
          ))}
        </fieldset>
        {option.spec !== null && title !== "" && (
          <SaveImage spec={option.spec} titled={{ title, rowCount: data.rows.length }} />
        )}
      </div>
      {option.spec === null ? (
        table
      ) : (
        <ChartView
          chart={{ ...chart, type: option.type, vega_lite: option.spec }}
          spec={option.spec}
          data={data}
          onPick={onPick}
        />
      )}
    </div>
  );
};
