import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Problem } from "../problem.ts";
import { ProblemNote } from "../problem-note.tsx";
import { Unbroken } from "../unbroken.tsx";
import type { PlanEdit } from "../wire.ts";
import { AnswerView } from "./answer-view.tsx";
import type { Turn } from "./conversation.ts";
import type { KeptList } from "./feedback.tsx";
import { PendingNote } from "./pending-note.tsx";

type Props = {
  readonly turn: Turn;
  /** The question's origin, shown below it. */
  readonly note: ComponentChildren;
  readonly isLast: boolean;
  readonly busy: boolean;
  readonly onAsk: (question: string, edited?: PlanEdit) => void;
  readonly onChanged: (list: KeptList) => void;
  readonly onCancel: () => void;
  readonly onRemedy: (problem: Problem | null) => void;
};

const remedyLabels: Record<Problem["remedy"], string> = {
  retry: "Try again",
  edit: "Edit the question",
  sign_in: "Sign in again",
};

const Cancelled = ({ onAgain }: { onAgain: () => void }) => (
  <div class="cancelled">
    <p>Cancelled before the answer came.</p>
    <button type="button" class="secondary" onClick={onAgain}>
      Ask again
    </button>
  </div>
);

/** One question with its answer, its progress, or why it has none. */
export const TurnView = ({ turn, note, isLast, busy, onAsk, onChanged, onCancel, onRemedy }: Props) => {
  const { state } = turn;
  const article = useRef<HTMLElement>(null);

  // Only when it appears: an answer that arrives must not move the page under the reader's eyes.
  useLayoutEffect(() => article.current?.scrollIntoView({ block: "start" }), []);

  return (
    <article class="turn" ref={article} aria-labelledby={`question-${turn.id}`} aria-busy={state.kind === "asking"}>
      <h2 class="question" id={`question-${turn.id}`}>
        {turn.question}
      </h2>
      {note}
      <div role="status">
        {state.kind === "asking" && <PendingNote {...state} onCancel={onCancel} />}
        {state.kind === "answered" && (
          <p class="answer">
            <Unbroken text={state.answer.answer} />
          </p>
        )}
      </div>
      {state.kind === "answered" && (
        <AnswerView
          answer={state.answer}
          question={turn.question}
          isLast={isLast}
          busy={busy}
          onAsk={onAsk}
          onChanged={onChanged}
        />
      )}
      {state.kind === "failed" && (
        <ProblemNote
          problem={state.problem}
          label={remedyLabels[state.problem.remedy]}
          onAct={() => onRemedy(state.problem)}
        />
      )}
      {state.kind === "cancelled" && <Cancelled onAgain={() => onRemedy(null)} />}
    </article>
  );
};
