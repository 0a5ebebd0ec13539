import { useElapsed } from "./use-elapsed.ts";

type Props = {
  readonly startedAtMs: number;
  /** How far the server says it is. */
  readonly step: string | null;
  readonly onCancel: () => void;
};

const stepWords: Readonly<Record<string, string>> = {
  planning: "Reading the question…",
  querying: "Looking through your data…",
  charting: "Drawing…",
};

// Most answers take well under a second; a wait of ten deserves a word that nothing has broken.
const stages = [
  { fromMs: 10_000, words: "Taking longer than usual…" },
  { fromMs: 4_000, words: "Still working…" },
  { fromMs: 0, words: "Working on it…" },
];

export const PendingNote = ({ startedAtMs, step, onCancel }: Props) => {
  const elapsedMs = useElapsed(startedAtMs);
  const stage = stages.find(({ fromMs }) => elapsedMs >= fromMs);
  const words = stage?.fromMs === 0 && step !== null ? (stepWords[step] ?? stage.words) : stage?.words;
  return (
    <div class="pending">
      <div class="pending-bar" aria-hidden="true" />
      <span>{words}</span>
      <span class="elapsed" aria-hidden="true">
        {(elapsedMs / 1_000).toFixed(1)} s
      </span>
      <button type="button" class="secondary" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
};
