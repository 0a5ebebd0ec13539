import { useEffect, useRef, useState } from "preact/hooks";
import type { ChartSuggestion, Data } from "../wire.ts";
import { describeChart, type Spec } from "./chart-spec.ts";
import { type Drawing, drawChart } from "./draw-chart.ts";

type Props = { readonly chart: ChartSuggestion; readonly spec: Spec; readonly data: Data };
type Progress = "drawing" | "drawn" | "failed";

/** Calls `redraw` when the colour scheme changes or the element's width does; returns how to stop. */
const watch = (element: HTMLElement, redraw: () => void): (() => void) => {
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

const useDrawing = (spec: Spec, rowCount: number) => {
  const canvas = useRef<HTMLDivElement>(null);
  const [progress, setProgress] = useState<Progress>("drawing");

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let drawing: Drawing | null = null;
    let latest = 0;
    const draw = async (): Promise<void> => {
      latest += 1;
      const mine = latest;
      try {
        const drawn = await drawChart(element, spec, rowCount);
        // A newer drawing is on its way, or the turn is gone.
        if (mine !== latest) return drawn.finalize();
        drawing?.finalize();
        drawing = drawn;
        element.replaceChildren(drawn.node);
        setProgress("drawn");
      } catch {
        setProgress("failed");
      }
    };
    const stop = watch(element, () => void draw());
    void draw();
    return () => {
      latest = -1;
      stop();
      drawing?.finalize();
    };
  }, [spec, rowCount]);

  return { canvas, progress };
};

/** A chart; the table under it says the same, so a failure to draw costs nothing but the picture. */
export const ChartView = ({ chart, spec, data }: Props) => {
  const { canvas, progress } = useDrawing(spec, data.rows.length);
  if (progress === "failed") return <p class="soft">The chart could not be drawn. The table holds the same figures.</p>;
  return (
    <figure class="chart" data-progress={progress}>
      <div class="canvas" ref={canvas} role="img" aria-label={describeChart(chart, data)} />
    </figure>
  );
};
