import { formatCount } from "../format.ts";
import type { SavedAnswer } from "../wire.ts";
import { RemovableRow } from "./removable-row.tsx";
import { savedBy, savedOn, titleOf } from "./saved-words.ts";
import type { useSaved } from "./use-saved.ts";

type Props = {
  readonly saved: ReturnType<typeof useSaved>;
  readonly onAsk: (answer: SavedAnswer) => void;
  readonly onRemove: (id: string) => Promise<boolean>;
};

const removal = {
  ...{ name: "Take back", question: "From now on, read this question anew for everybody?" },
  ...{ yes: "Take back", no: "Keep" },
};

/** Answers that were found right: of all of the organization, and asked again by a click. */
export const SavedList = ({ saved: { found, more }, onAsk, onRemove }: Props) => {
  if (found.kind === "loading") return <p class="soft">Looking…</p>;
  if (found.kind === "failed") return <p class="soft">They could not be read. Choose “Saved” to try again.</p>;
  const { answers, total } = found;
  if (answers.length === 0) {
    return (
      <p class="soft">Say “Yes” to “Was this right?” under an answer: the same question is answered that way then.</p>
    );
  }
  return (
    <section aria-label="Saved answers">
      <p class="sessions-title">{formatCount(total, "saved answer")} of your organization</p>
      <ul>
        {answers.map((answer) => (
          <RemovableRow
            key={answer.id}
            {...{ title: titleOf(answer), removal }}
            onOpen={() => onAsk(answer)}
            onRemove={() => onRemove(answer.id)}
          >
            <span class="session-title">{titleOf(answer)}</span>
            <span class="session-note">
              {savedOn(answer)} {savedBy(answer)}
            </span>
          </RemovableRow>
        ))}
      </ul>
      {answers.length < total && (
        <button type="button" class="quiet small" onClick={() => void more()}>
          Show more
        </button>
      )}
    </section>
  );
};
