import { useContext } from "preact/hooks";
import { formatCount } from "../format.ts";
import type { ApprovedQuestion } from "../wire.ts";
import { Zone } from "../zone.ts";
import { approvedBy, approvedOn, titleOf } from "./approval-words.ts";
import { RemovableRow } from "./removable-row.tsx";
import { ShelfBody } from "./shelf-body.tsx";
import type { Shelved } from "./use-shelf.ts";

type Props = {
  readonly approved: Shelved<ApprovedQuestion>;
  readonly onAsk: (question: ApprovedQuestion) => void;
  readonly onRemove: (id: string) => Promise<boolean>;
  readonly onSignInAgain: () => void;
};

const nothing = "Say “Yes” to “Was this right?” under an answer: the same question is answered that way then.";
const removal = {
  name: "Take back",
  question: "From now on, read this question anew for everybody?",
  yes: "Take back",
  no: "Keep",
};

/** Questions whose answers were found right: of all of the organization, and asked again by a click. */
export const ApprovedList = ({ approved, onAsk, onRemove, onSignInAgain }: Props) => {
  const zone = useContext(Zone);
  return (
    <ShelfBody shelf={approved} nothing={nothing} onSignInAgain={onSignInAgain}>
      {(questions, total) => (
        <section aria-label="Approved questions">
          <p class="sessions-title">{formatCount(total, "approved question")} of your organization</p>
          <ul>
            {questions.map((question) => (
              <RemovableRow
                key={question.id}
                title={titleOf(question)}
                removal={question.may_change ? removal : null}
                onOpen={() => onAsk(question)}
                onRemove={() => onRemove(question.id)}
              >
                <span class="session-title">{titleOf(question)}</span>
                <span class="session-note">
                  {approvedOn(question, zone)} {approvedBy(question)}
                </span>
              </RemovableRow>
            ))}
          </ul>
        </section>
      )}
    </ShelfBody>
  );
};
