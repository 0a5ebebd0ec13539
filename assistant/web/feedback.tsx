import { useState } from "preact/hooks";
import { download, send } from "./client.ts";
import { CopyButton } from "./copy-button.tsx";
import { toLinkHash } from "./place.ts";
import { SaveButton, SaveForm, useSaving } from "./save-question.tsx";
import { approvedBy } from "./side/approval-words.ts";
import { type Answer, type FeedbackAnswer, feedbackSchema } from "./wire.ts";

/** What of an organization's questions has changed by what was done with an answer. */
export type Kept = "saved" | "approved";

type Props = {
  readonly token: string;
  readonly messageId: string;
  readonly answer: Answer;
  readonly question: string;
  readonly onKept: (what: Kept) => void;
};
const notSent = "That could not be sent. Try again.";
const notDownloaded = "The file could not be fetched. Try again.";
const approvedWords = "It is approved: the same question will be read this way from now on.";
const notApprovedWords = {
  not_by_itself: "It cannot be approved for other days.",
  no_room: "Your organization has approved as many questions as it may: take one back first.",
} as const;

/** What became of the question, and who has to be asked where it is not for this user to change. */
function wordsOf({ remembered, not_remembered: why, approval }: FeedbackAnswer): string {
  if (remembered) return approvedWords;
  if (why === "not_by_itself" || why === "no_room") return notApprovedWords[why];
  if (approval === null) return "";
  return `The question stays as it was approved ${approvedBy(approval)}, which an admin can change.`;
}

const formats = [
  { format: "csv", label: "CSV" },
  { format: "parquet", label: "Parquet" },
] as const;

type DownloadsProps = Pick<Props, "token" | "answer" | "question"> & {
  readonly path: string;
  readonly onFail: () => void;
};

/** The answer for others: a link that asks it, and its rows as a file. */
const Downloads = ({ token, answer, question, path, onFail }: DownloadsProps) => {
  const fetchAs = (format: string): Promise<void> =>
    download(token, `${path}/export?format=${format}`, `answer.${format}`).catch(onFail);
  const link = (): string => `${location.origin}${location.pathname}${toLinkHash({ question, plan: answer.plan })}`;
  return (
    <>
      <CopyButton label="Copy link" text={link} />
      <span class="formats">
        <span>Download</span>
        {formats.map(({ format, label }) => (
          <button key={format} type="button" class="secondary small" onClick={() => void fetchAs(format)}>
            {label}
          </button>
        ))}
      </span>
    </>
  );
};

/** Whether an answer was right: the question of one that was is approved for the organization; and what else becomes of it. */
export const Feedback = ({ token, messageId, answer, question, onKept }: Props) => {
  const [said, setSaid] = useState("");
  const [useful, setUseful] = useState<boolean | null>(answer.feedback?.useful ?? null);

  const saving = useSaving({ token, question, plan: answer.plan, onSaved: () => onKept("saved") });
  const path = `/reporting_ai/messages/${encodeURIComponent(messageId)}`;

  const say = async (given: boolean): Promise<void> => {
    setUseful(given);
    const sent = await send(
      token,
      { method: "POST", path: `${path}/feedback`, body: { useful: given } },
      feedbackSchema,
    ).catch(() => null);
    if (sent === null) setUseful(null);
    else onKept("approved");
    setSaid(sent === null ? notSent : `Thank you. ${wordsOf(sent)}`.trim());
  };

  return (
    <div class="feedback">
      <span>Was this right?</span>
      <button type="button" class="secondary small" aria-pressed={useful === true} onClick={() => void say(true)}>
        Yes
      </button>
      <button type="button" class="secondary small" aria-pressed={useful === false} onClick={() => void say(false)}>
        No
      </button>
      <span role="status">{said}</span>
      <span class="downloads">
        {answer.plan != null && <SaveButton saving={saving} />}
        <Downloads
          token={token}
          answer={answer}
          question={question}
          path={path}
          onFail={() => setSaid(notDownloaded)}
        />
      </span>
      <SaveForm saving={saving} />
    </div>
  );
};
