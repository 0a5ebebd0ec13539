import { useState } from "preact/hooks";
import { download, send } from "./client.ts";
import { CopyButton } from "./copy-button.tsx";
import { toLinkHash } from "./place.ts";
import { type Answer, feedbackSchema } from "./wire.ts";

type Props = {
  readonly token: string;
  readonly messageId: string;
  readonly answer: Answer;
  readonly question: string;
  /** Said once it was heard. */
  readonly onFeedback: () => void;
};
type Said = { readonly kind: "nothing" | "sent" | "remembered" | "forgotten" | "failed" | "unkept" };

const thanks: Readonly<Record<Said["kind"], string>> = {
  nothing: "",
  sent: "Thank you.",
  remembered: "Thank you. It is saved: the same question will be read this way from now on.",
  forgotten: "Thank you. It could not be saved for other days.",
  unkept: "The file could not be fetched. Try again.",
  failed: "That could not be sent. Try again.",
};

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
  const keep = (format: string): Promise<void> =>
    download(token, `${path}/export?format=${format}`, `answer.${format}`).catch(onFail);
  const link = (): string => `${location.origin}${location.pathname}${toLinkHash({ question, plan: answer.plan })}`;
  return (
    <span class="downloads">
      <CopyButton label="Copy link" text={link} />
      <span>Download</span>
      {formats.map(({ format, label }) => (
        <button key={format} type="button" class="secondary small" onClick={() => void keep(format)}>
          {label}
        </button>
      ))}
    </span>
  );
};

/** Whether an answer was useful: what was is saved for the organization. */
export const Feedback = ({ token, messageId, answer, question, onFeedback }: Props) => {
  const [said, setSaid] = useState<Said>({ kind: "nothing" });
  const [useful, setUseful] = useState<boolean | null>(answer.feedback?.useful ?? null);

  const path = `/reporting_ai/messages/${encodeURIComponent(messageId)}`;

  const say = async (given: boolean): Promise<void> => {
    setUseful(given);
    const sent = await send(
      token,
      { method: "POST", path: `${path}/feedback`, body: { useful: given } },
      feedbackSchema,
    ).catch(() => null);
    if (sent === null) setUseful(null);
    else onFeedback();
    setSaid({ kind: sent === null ? "failed" : sent.remembered ? "remembered" : given ? "forgotten" : "sent" });
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
      <span role="status">{thanks[said.kind]}</span>
      <Downloads {...{ token, answer, question, path }} onFail={() => setSaid({ kind: "unkept" })} />
    </div>
  );
};
