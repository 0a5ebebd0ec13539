import { useEffect, useState } from "preact/hooks";

const tickMs = 100;

/** Milliseconds since `startedAtMs` of performance.now(), updated while shown. */
const useElapsed = (startedAtMs: number): number => {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, now - startedAtMs);
};

const stepWords: Readonly<Record<string, string>> = {
  planning: "Reading the question…",
  querying: "Looking through your data…",
  charting: "Drawing…",
};

// Most answers take well under a second; after ten the analyst is told that nothing has broken.
const stages = [
  { fromMs: 10_000, words: "Taking longer than usual…" },
  { fromMs: 4_000, words: "Still working…" },
  { fromMs: 0, words: "Working on it…" },
];

type Props = {
  readonly startedAtMs: number;
  /** The last step that the server reported. */
  readonly step: string | null;
  /** The server's reading of the question, as soon as it is known. */
  readonly reading: string | null;
  readonly onCancel: () => void;
};

export const PendingNote = ({ startedAtMs, step, reading, onCancel }: Props) => {
  const elapsedMs = useElapsed(startedAtMs);
  const stage = stages.find(({ fromMs }) => elapsedMs >= fromMs);
  const words = stage?.fromMs === 0 && step !== null ? (stepWords[step] ?? stage.words) : stage?.words;
  return (
    <div class="pending">
      <div class="pending-bar" aria-hidden="true" />
      <span>
        {words}
        {/* While it is written word by word it is not read out. */}
        {reading !== null && <span aria-hidden={step === "planning"}> {reading}</span>}
      </span>
      <span class="elapsed" aria-hidden="true">
        {(elapsedMs / 1_000).toFixed(1)} s
      </span>
      <button type="button" class="secondary" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
};
