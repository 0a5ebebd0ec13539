import { useState } from "preact/hooks";
import { download, send } from "./client.ts";
import { feedbackSchema } from "./wire.ts";

type Props = { readonly token: string; readonly messageId: string };
type Said = { readonly kind: "nothing" | "sent" | "remembered" | "failed" | "unkept" };

const thanks: Readonly<Record<Said["kind"], string>> = {
  nothing: "",
  sent: "Thank you.",
  remembered: "Thank you. The same question will be read this way from now on.",
  unkept: "The file could not be fetched. Try again.",
  failed: "That could not be sent. Try again.",
};

const formats = [
  { format: "csv", label: "CSV" },
  { format: "parquet", label: "Parquet" },
] as const;

/** Whether an answer was useful; what was is remembered for the organization. And its rows as a file. */
export const Feedback = ({ token, messageId }: Props) => {
  const [said, setSaid] = useState<Said>({ kind: "nothing" });
  const [useful, setUseful] = useState<boolean | null>(null);

  const path = `/reporting_ai/messages/${encodeURIComponent(messageId)}`;

  const keep = (format: string): Promise<void> =>
    download(token, `${path}/export?format=${format}`, `answer.${format}`).catch(() => setSaid({ kind: "unkept" }));

  const say = async (answer: boolean): Promise<void> => {
    setUseful(answer);
    const sent = await send(
      token,
      { method: "POST", path: `${path}/feedback`, body: { useful: answer } },
      feedbackSchema,
    ).catch(() => null);
    if (sent === null) setUseful(null);
    setSaid({ kind: sent === null ? "failed" : sent.remembered ? "remembered" : "sent" });
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
      <span class="downloads">
        <span>Download</span>
        {formats.map(({ format, label }) => (
          <button key={format} type="button" class="secondary small" onClick={() => void keep(format)}>
            {label}
          </button>
        ))}
      </span>
    </div>
  );
};
