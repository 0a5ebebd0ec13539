import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Problem } from "./problem.ts";
import { ProblemNote } from "./problem-note.tsx";
import { useSession } from "./session-context.ts";
import type { Found, PagedList, Rest } from "./use-paged-list.ts";

const useRemedy = (problem: Problem | null, onRetry: () => void) => {
  const { signInAgain } = useSession();
  return problem?.remedy === "sign_in"
    ? { label: "Sign in again", onAct: signInAgain }
    : { label: "Try again", onAct: onRetry };
};

/** In place of something that could not be read at all. */
export const ReadProblem = ({ problem, onRetry }: { problem: Problem; onRetry: () => void }) => (
  <ProblemNote problem={problem} {...useRemedy(problem, onRetry)} />
);

type EndProps = {
  readonly rest: Rest;
  readonly hasMore: boolean;
  readonly buttonClass: string;
  readonly onMore: () => void;
  readonly onRetry: () => void;
};

/** Below the rows: why some are missing, and one button throughout, so that it keeps the focus. */
const ListEnd = ({ rest, hasMore, buttonClass, onMore, onRetry }: EndProps) => {
  const remedy = useRemedy(rest.kind === "failed" ? rest.problem : null, onRetry);
  const more = { label: rest.kind === "loading" ? "Looking…" : "Show more", onAct: onMore };
  const { label, onAct } = rest.kind === "failed" ? remedy : more;
  return (
    <>
      {rest.kind === "failed" && (
        <p class="notice" role="alert">
          {rest.problem.title} {rest.problem.advice}
        </p>
      )}
      {(hasMore || rest.kind === "failed") && (
        <button type="button" class={buttonClass} aria-disabled={rest.kind === "loading"} onClick={onAct}>
          {label}
        </button>
      )}
    </>
  );
};

/**
 * Focuses the first new row once a list has more than the `count` rows that it had when the returned function was
 * called.
 */
const useFocusOnGrowth = (list: RefObject<HTMLElement | null>, count: number) => {
  const marked = useRef<number | null>(null);
  useLayoutEffect(() => {
    const before = marked.current;
    if (before === null || count <= before) return;
    marked.current = null;
    list.current?.querySelectorAll<HTMLElement>("li > button:first-child")[before]?.focus({ preventScroll: true });
  }, [list, count]);
  return (): void => {
    marked.current = count;
  };
};

type Props<T> = {
  readonly source: { readonly list: PagedList<T>; readonly more: () => void; readonly retry: () => void };
  /** The element that holds the rows. */
  readonly element: RefObject<HTMLElement | null>;
  readonly loading: string;
  readonly buttonClass: string;
  /** Draws the rows, and below them `end`: a button for more of them. */
  readonly children: (found: Found<T>, end: ComponentChildren) => ComponentChildren;
};

/** A list in any of its states: loading, failed, or found. */
export const PagedListView = <T,>({ source, element, loading, buttonClass, children }: Props<T>) => {
  const { list, more, retry } = source;
  const markGrowth = useFocusOnGrowth(element, list.kind === "found" ? list.rows.length : 0);
  if (list.kind === "loading")
    return (
      <p class="soft" role="status">
        {loading}
      </p>
    );
  if (list.kind === "failed") return <ReadProblem problem={list.problem} onRetry={retry} />;
  const showMore = (): void => {
    markGrowth();
    more();
  };
  const end = (
    <ListEnd
      rest={list.rest}
      hasMore={list.cursor !== null}
      buttonClass={buttonClass}
      onMore={showMore}
      onRetry={retry}
    />
  );
  return <>{children(list, end)}</>;
};
