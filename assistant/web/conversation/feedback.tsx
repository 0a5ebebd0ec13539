import { useState } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { linkHash, pinHash, scheduleHash, sharedHash } from "../hash-location.ts";
import { SaveIcon } from "../icons.tsx";
import { useDisclosure } from "../keyboard.ts";
import { NameForm } from "../name-form.tsx";
import { errorText } from "../problem.ts";
import { useMay, useSession } from "../session-context.ts";
import {
  type Answer,
  approvedBy,
  type FeedbackAnswer,
  feedbackSchema,
  linkSchema,
  type SavedQuestion,
  savedQuestionSchema,
} from "../wire.ts";

/** The organization's lists of questions, which feedback and saving add to. */
export type KeptList = "saved" | "approved";

type Props = {
  readonly messageId: string;
  readonly answer: Answer;
  readonly question: string;
  readonly onChanged: (list: KeptList) => void;
};
const notSent = "That could not be sent. Try again.";
const notDownloaded = "The file could not be fetched. Try again.";
const approvedWords = "It is approved: the same question will be read this way from now on.";
const notApprovedWords = {
  not_by_itself: "It cannot be approved for other days.",
  no_room: "Your organization has approved as many questions as it may: take one back first.",
} as const;

/** Says whether the question is approved now, and if not, why. */
function approvalWords({ remembered, not_remembered: why, approval }: FeedbackAnswer): string {
  if (remembered) return approvedWords;
  if (why === "not_by_itself" || why === "no_room") return notApprovedWords[why];
  if (approval === null) return "";
  return `The question stays as it was approved ${approvedBy(approval)}, which an admin can change.`;
}

/** Saves an answer's question under a name, for all of the organization. */
const useSaving = ({ answer, question, onChanged }: Props) => {
  const { client } = useSession();
  const naming = useDisclosure();
  const [saved, setSaved] = useState<SavedQuestion | null>(null);

  /** Resolves to why it could not be saved, or null. */
  const save = async (name: string): Promise<string | null> => {
    const body = { name, query: question, plan: answer.plan };
    try {
      setSaved(await client.send({ method: "POST", path: "/reporting_ai/saved", body }, savedQuestionSchema));
      onChanged("saved");
      naming.close();
      return null;
    } catch (error) {
      // 409 says how many questions an organization can save.
      return errorText(error, 409);
    }
  };

  return { naming, saved, save };
};

const formats = [
  { format: "csv", label: "CSV" },
  { format: "parquet", label: "Parquet" },
] as const;

type ShareProps = Pick<Props, "answer" | "question"> & { readonly path: string; readonly onFail: () => void };

/** The answer for others: a link that asks its question, and its rows as a file. */
const Share = ({ answer, question, path, onFail }: ShareProps) => {
  const { client } = useSession();
  const mayExport = useMay("exports:read");
  const mayShare = useMay("questions:write");
  /** A short link; where there is no plan, or none may or can be stored, one that holds the question itself. */
  const link = async (): Promise<string> => {
    const { plan } = answer;
    const body = { query: question, plan };
    const made =
      plan == null || !mayShare
        ? null
        : await client.send({ method: "POST", path: "/reporting_ai/links", body }, linkSchema).catch(() => null);
    const hash = made === null ? linkHash({ question, plan }) : sharedHash(made.id);
    return `${location.origin}${location.pathname}${hash}`;
  };
  return (
    <>
      <CopyButton label="Copy link" text={link} />
      {mayExport && (
        <span class="formats">
          <span>Download</span>
          {formats.map(({ format, label }) => (
            <button
              key={format}
              type="button"
              class="secondary small"
              onClick={() => void client.download(`${path}/export?format=${format}`, `answer.${format}`).catch(onFail)}
            >
              {label}
            </button>
          ))}
        </span>
      )}
    </>
  );
};

const Rating = ({ useful, onRate }: { readonly useful: boolean | null; readonly onRate: (given: boolean) => void }) => (
  <>
    <span>Was this right?</span>
    <button type="button" class="secondary small" aria-pressed={useful === true} onClick={() => onRate(true)}>
      Yes
    </button>
    <button type="button" class="secondary small" aria-pressed={useful === false} onClick={() => onRate(false)}>
      No
    </button>
  </>
);

/**
 * Asks whether the answer was right, which approves its question for the organization; also saves, links and downloads
 * it: each where the role lets.
 */
export const Feedback = (props: Props) => {
  const { messageId, answer, question, onChanged } = props;
  const { client } = useSession();
  const { naming, saved, save } = useSaving(props);
  const maySave = useMay("questions:write");
  const [status, setStatus] = useState("");
  const [useful, setUseful] = useState<boolean | null>(answer.feedback?.useful ?? null);
  const path = `/reporting_ai/messages/${encodeURIComponent(messageId)}`;

  const rate = async (given: boolean): Promise<void> => {
    setUseful(given);
    const rating = { method: "POST", path: `${path}/feedback`, body: { useful: given } } as const;
    const sent = await client.send(rating, feedbackSchema).catch(() => null);
    if (sent === null) setUseful(null);
    else onChanged("approved");
    setStatus(sent === null ? notSent : `Thank you. ${approvalWords(sent)}`.trim());
  };

  return (
    <div class="feedback">
      {maySave ? (
        <Rating useful={useful} onRate={(given) => void rate(given)} />
      ) : (
        <span class="soft">Analysts of your organization approve, save and download answers.</span>
      )}
      <span role="status">{status}</span>
      <span class="downloads">
        {maySave && answer.plan != null && (
          <button
            type="button"
            class="quiet small"
            ref={naming.button}
            aria-expanded={naming.isOpen}
            onClick={naming.isOpen ? naming.close : naming.open}
          >
            <SaveIcon />
            Save
          </button>
        )}
        <Share answer={answer} question={question} path={path} onFail={() => setStatus(notDownloaded)} />
      </span>
      <div class="saving">
        {naming.isOpen && (
          <NameForm
            label="Name of the saved question"
            name={question}
            yes="Save"
            onName={save}
            onCancel={naming.close}
          />
        )}
        <span role="status">
          {saved !== null && !naming.isOpen && (
            <>
              Saved as “{saved.name}”.{" "}
              <a class="in-text" href={pinHash(saved.id)}>
                Pin it to a board
              </a>{" "}
              or{" "}
              <a class="in-text" href={scheduleHash(saved.id)}>
                have it sent by a schedule
              </a>
              .
            </>
          )}
        </span>
      </div>
    </div>
  );
};
