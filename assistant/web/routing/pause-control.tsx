import { useState } from "preact/hooks";
import { useDisclosure } from "../keyboard.ts";
import { errorText } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { bulkSchema } from "./routing.ts";

const durations = [
  { label: "15 minutes", minutes: 15 },
  { label: "1 hour", minutes: 60 },
  { label: "4 hours", minutes: 240 },
  { label: "24 hours", minutes: 1440 },
  { label: "7 days", minutes: 10_080 },
  { label: "until it is resumed", minutes: null },
] as const;

type Props = {
  readonly name: string;
  readonly type: "target" | "rtb" | "publisher" | "buyer" | "campaign_number" | "outgoing_webhook";
  readonly id: string;
  readonly isPaused: boolean;
  /** Reads anew what shows the pause. */
  readonly onDone: () => Promise<void>;
};

const focus = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });

/** Pauses for a time or until it is resumed, and resumes. */
export const PauseControl = ({ name, type, id, isPaused, onDone }: Props) => {
  const { client } = useSession();
  const { isOpen, button, open, close } = useDisclosure();
  const [minutes, setMinutes] = useState<string>("60");
  const [said, setSaid] = useState<{ readonly words: string; readonly isFault: boolean } | null>(null);
  const [isSending, setSending] = useState(false);

  const send = async (path: string, pause: object, words: string): Promise<void> => {
    if (isSending) return;
    setSending(true);
    try {
      const body = { resource_type: type, ids: [id], ...pause };
      const { data } = await client.send({ method: "POST", path, body }, bulkSchema);
      const fault = data[0]?.error ?? null;
      setSaid(fault === null ? { words, isFault: false } : { words: fault.message, isFault: true });
      await onDone();
      close();
    } catch (error) {
      setSaid({ words: errorText(error, 403, 409, 422), isFault: true });
    }
    setSending(false);
  };
  const duration = minutes === "" ? { unlimited: true } : { duration_minutes: Number(minutes) };

  return (
    <div class="pause-control">
      {isOpen ? (
        <form
          aria-label={`Pause ${name}`}
          onSubmit={(event) => {
            event.preventDefault();
            void send("/v1/bulk/pause", duration, "Paused.");
          }}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            close();
          }}
        >
          <select
            aria-label="For how long"
            ref={focus}
            value={minutes}
            onChange={(event) => setMinutes(event.currentTarget.value)}
          >
            {durations.map((each) => (
              <option key={each.label} value={each.minutes ?? ""}>
                {each.label}
              </option>
            ))}
          </select>
          <button type="submit" class="secondary small" aria-disabled={isSending}>
            Pause
          </button>
          <button type="button" class="quiet small" onClick={close}>
            Cancel
          </button>
        </form>
      ) : (
        <button
          type="button"
          class="secondary small"
          ref={button}
          aria-label={isPaused ? `Resume ${name}` : `Pause ${name}…`}
          aria-disabled={isSending}
          onClick={() => {
            setSaid(null);
            if (isPaused) void send("/v1/bulk/resume", {}, "Resumed.");
            else open();
          }}
        >
          {isPaused ? "Resume" : "Pause…"}
        </button>
      )}
      <span class={said?.isFault ? "notice" : "soft"} role="status">
        {said?.words ?? ""}
      </span>
    </div>
  );
};
