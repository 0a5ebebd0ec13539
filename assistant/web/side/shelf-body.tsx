import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useFocusOnGrowth } from "../focus-on-growth.ts";
import { ListEnd, ReadProblem } from "../list-end.tsx";
import type { Shelved } from "./use-shelf.ts";

type Props<T extends { readonly id: string }> = {
  readonly shelf: Pick<Shelved<T>, "listed" | "more" | "again">;
  /** Said where there is nothing yet: how something comes here. */
  readonly nothing: string;
  readonly onSignInAgain: () => void;
  readonly children: (rows: readonly T[], total: number) => ComponentChildren;
};

/** A list at the side: on its way, not to be read, empty, or its rows and how to get more of them. */
export const ShelfBody = <T extends { readonly id: string }>({ shelf, nothing, onSignInAgain, children }: Props<T>) => {
  const { listed, more, again } = shelf;
  const body = useRef<HTMLDivElement>(null);
  const mark = useFocusOnGrowth(body, listed.kind === "found" ? listed.rows.length : 0);
  if (listed.kind === "loading")
    return (
      <p class="soft" role="status">
        Looking…
      </p>
    );
  if (listed.kind === "failed")
    return <ReadProblem problem={listed.problem} onAgain={again} onSignInAgain={onSignInAgain} />;
  const { rows, total, cursor, rest } = listed;
  const showMore = (): void => {
    mark();
    more();
  };
  return (
    <div class="shelf" ref={body}>
      {rows.length === 0 ? <p class="soft">{nothing}</p> : children(rows, total)}
      <ListEnd
        rest={rest}
        onSignInAgain={onSignInAgain}
        hasMore={cursor !== null}
        look="quiet small"
        onMore={showMore}
        onAgain={again}
      />
    </div>
  );
};
