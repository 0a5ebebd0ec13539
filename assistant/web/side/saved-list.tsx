import { formatCount } from "../format.ts";
import type { SavedQuestion } from "../wire.ts";
import { SavedRow } from "./saved-row.tsx";
import { ShelfBody } from "./shelf-body.tsx";
import type { useSaved } from "./use-saved.ts";

type Props = {
  readonly saved: ReturnType<typeof useSaved>;
  readonly onOpen: (question: SavedQuestion) => void;
  readonly onRemove: (id: string) => Promise<boolean>;
  readonly onSignInAgain: () => void;
};

const nothing = "Choose “Save” under an answer to keep its question here by a name, for all of your organization.";

/** Questions that were saved by a name: of all of the organization, asked again by a click, renamed and deleted. */
export const SavedList = ({ saved, onOpen, onRemove, onSignInAgain }: Props) => (
  <ShelfBody shelf={saved} nothing={nothing} onSignInAgain={onSignInAgain}>
    {(questions, total) => (
      <section aria-label="Saved questions">
        <p class="sessions-title">{formatCount(total, "saved question")} of your organization</p>
        <ul>
          {questions.map((question) => (
            <SavedRow
              key={question.id}
              question={question}
              onOpen={() => onOpen(question)}
              onRename={(name) => saved.rename(question.id, name)}
              onRemove={() => onRemove(question.id)}
            />
          ))}
        </ul>
      </section>
    )}
  </ShelfBody>
);
