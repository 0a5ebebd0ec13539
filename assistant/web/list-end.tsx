import type { Rest } from "./listed.ts";
import type { Problem } from "./problem.ts";
import { ProblemNote } from "./problem-note.tsx";

type Remedies = {
  /** Reads what could not be read. */
  readonly onAgain: () => void;
  readonly onSignInAgain: () => void;
};
type Props = Remedies & {
  readonly rest: Rest;
  readonly hasMore: boolean;
  readonly look: string;
  readonly onMore: () => void;
};

const remedyOf = (problem: Problem, { onAgain, onSignInAgain }: Remedies) =>
  problem.remedy === "sign_in"
    ? { label: "Sign in again", onAct: onSignInAgain }
    : { label: "Try again", onAct: onAgain };

/** In place of what could not be read at all. */
export const ReadProblem = ({ problem, ...remedies }: Remedies & { readonly problem: Problem }) => (
  <ProblemNote problem={problem} {...remedyOf(problem, remedies)} />
);

const buttonOf = (rest: Rest, { onMore, ...remedies }: Remedies & Pick<Props, "onMore">) => {
  if (rest.kind === "failed") return remedyOf(rest.problem, remedies);
  return { label: rest.kind === "loading" ? "Looking…" : "Show more", onAct: onMore };
};

/** Below a list that stands there: what it lacks and why. One button throughout, which keeps the keyboard. */
export const ListEnd = ({ rest, hasMore, look, ...acts }: Props) => {
  const { label, onAct } = buttonOf(rest, acts);
  return (
    <>
      {rest.kind === "failed" && (
        <p class="notice" role="alert">
          {rest.problem.title} {rest.problem.advice}
        </p>
      )}
      {(hasMore || rest.kind === "failed") && (
        <button type="button" class={look} aria-disabled={rest.kind === "loading"} onClick={onAct}>
          {label}
        </button>
      )}
    </>
  );
};
