import { useElapsed } from "./use-elapsed.ts";

type Props = { readonly startedAtMs: number; readonly onCancel: () => void };

// Most answers take well under a second; a wait of ten deserves a word that nothing has broken.
const stages = [
  { fromMs: 10_000, words: "Taking longer than usual…" },
  { fromMs: 4_000, words: "Still working…" },
  { fromMs: 0, words: "Working on it…" },
];

export const PendingNote = ({ startedAtMs, onCancel }: Props) => {
  const elapsedMs = useElapsed(startedAtMs);
  return (
    <div class="pending">
      <div class="pending-bar" aria-hidden="true" />
      <span>{stages.find((stage) => elapsedMs >= stage.fromMs)?.words}</span>
      <span class="elapsed" aria-hidden="true">
        {(elapsedMs / 1_000).toFixed(1)} s
      </span>
      <button type="button" class="secondary" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
};
