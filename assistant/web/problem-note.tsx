import { WarningIcon } from "./icons.tsx";
import type { Problem } from "./problem.ts";

type Props = { readonly problem: Problem; readonly label: string; readonly onAct: () => void };

/** A failure, with advice and the button that follows it. */
export const ProblemNote = ({ problem, label, onAct }: Props) => (
  <div class="problem">
    <div class="problem-words" role="alert">
      <WarningIcon />
      <p>
        <strong>{problem.title}</strong> {problem.advice}
      </p>
    </div>
    <button type="button" class="secondary" onClick={onAct}>
      {label}
    </button>
  </div>
);
