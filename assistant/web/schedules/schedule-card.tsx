import { useState } from "preact/hooks";
import { formatMinute, formatShort } from "../format-time.ts";
import { linkHash } from "../hash-location.ts";
import { useDisclosure } from "../keyboard.ts";
import { ReadProblem } from "../paged-list.tsx";
import { errorText } from "../problem.ts";
import { usePolled } from "../routing/use-polled.ts";
import { useSession, useZone } from "../session-context.ts";
import { Confirm } from "../side/row.tsx";
import { Badge } from "../webhooks/webhook-parts.tsx";
import { openedQuestionSchema, type SavedQuestion } from "../wire.ts";
import { ScheduleForm } from "./schedule-form.tsx";
import {
  badgeOf,
  changedSchema,
  destinationWords,
  draftOf,
  pausedBecause,
  runSchema,
  runsSchema,
  runWords,
  type Schedule,
  schedulesPath,
  timesOf,
} from "./schedules.ts";

const History = ({ path }: { path: string }) => {
  const zone = useZone();
  const { found, problem, read } = usePolled(`${path}/runs?limit=20`, runsSchema);
  if (problem !== null) return <ReadProblem problem={problem} onRetry={() => void read()} />;
  if (found === null) return <p class="soft">Reading…</p>;
  if (found.data.length === 0) return <p class="soft">Nothing was sent yet.</p>;
  return (
    <ul class="schedule-runs">
      {found.data.map((run) => (
        <li key={run.id}>
          <strong>{formatShort(run.ended_at ?? run.due_at, zone)}</strong> {run.summary}
          {run.triggered_by === "manual" && " (sent by hand)"}
          <span class="soft"> {runWords(run, zone)}</span>
        </li>
      ))}
    </ul>
  );
};

const removal = { name: "Delete", question: "Delete this schedule with its history?", yes: "Delete", no: "Keep" };

type Props = {
  readonly schedule: Schedule;
  readonly questions: readonly SavedQuestion[];
  readonly canMail: boolean;
  /** Reads the list anew. */
  readonly onChanged: () => Promise<void>;
  readonly onSecret: (secret: string) => void;
};

/** A schedule: what it asks and when, how it went, and what may be done with it. */
export const ScheduleCard = ({ schedule, questions, canMail, onChanged, onSecret }: Props) => {
  const { client, zone } = useSession();
  const [said, setSaid] = useState<{ readonly words: string; readonly isFault: boolean } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [showsHistory, showHistory] = useState(false);
  const [editing, confirming] = [useDisclosure(), useDisclosure()];
  const { id, name, saved_question: question, state, may_change: mayChange } = schedule;
  const path = `${schedulesPath}/${encodeURIComponent(id)}`;
  const title = `schedule-${id}`;

  const act = async (under: string, work: () => Promise<string>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setSaid({ words: under, isFault: false });
    try {
      setSaid({ words: await work(), isFault: false });
      await onChanged();
    } catch (error) {
      setSaid({ words: errorText(error, 403, 404, 409, 422, 429), isFault: true });
    }
    setBusy(false);
  };
  const pause = (paused: boolean) =>
    act(paused ? "Pausing…" : "Resuming…", async () => {
      await client.send({ method: "PATCH", path, body: { paused } }, changedSchema);
      return paused ? "Paused." : "Resumed.";
    });
  const sendNow = () =>
    act("Sending…", async () => {
      const run = await client.send({ method: "POST", path: `${path}/send` }, runSchema);
      return run.status === "delivered" ? "Sent." : `Not sent. ${run.error ?? ""}`;
    });
  const open = () =>
    act("Opening…", async () => {
      const saved = `/reporting_ai/saved/${encodeURIComponent(question?.id ?? "")}`;
      const found = await client.get(saved, openedQuestionSchema);
      location.hash = linkHash({ question: found.query ?? found.name, plan: found.plan });
      return "";
    });

  if (editing.isOpen) {
    return (
      <ScheduleForm
        schedule={schedule}
        draft={draftOf(schedule)}
        questions={questions}
        canMail={canMail}
        onSaved={(secret) => {
          if (secret !== null) onSecret(secret);
          void onChanged();
          editing.close();
        }}
        onCancel={editing.close}
      />
    );
  }
  const because = pausedBecause(schedule);
  const words = schedule.in_words.charAt(0).toUpperCase() + schedule.in_words.slice(1);
  return (
    <section class="panel schedule" aria-labelledby={title}>
      <div class="panel-head">
        <h2 id={title}>
          {name} <Badge {...badgeOf(schedule)} />
        </h2>
      </div>
      <p>
        {words}, {destinationWords(schedule)}.
      </p>
      <p class="soft">{timesOf(schedule, zone)}</p>
      {because !== "" && <p class="notice">{because}</p>}
      {schedule.alerting_since !== null && (
        <p class="notice">It has been alerting since {formatMinute(schedule.alerting_since, zone)}.</p>
      )}
      {confirming.isOpen ? (
        <Confirm
          title={name}
          removal={removal}
          onYes={() =>
            void act("Deleting…", async () => ((await client.remove(path)) ? "" : "It could not be deleted."))
          }
          onNo={confirming.close}
        />
      ) : (
        <div class="schedule-acts">
          {mayChange && (
            <>
              <button
                type="button"
                class="secondary small"
                aria-disabled={isBusy}
                aria-label={`Send ${name} now`}
                onClick={() => void sendNow()}
              >
                Send now
              </button>
              <button
                type="button"
                class="secondary small"
                aria-disabled={isBusy}
                aria-label={`${state === "paused" ? "Resume" : "Pause"} ${name}`}
                onClick={() => void pause(state !== "paused")}
              >
                {state === "paused" ? "Resume" : "Pause"}
              </button>
              <button
                type="button"
                class="secondary small"
                ref={editing.button}
                aria-label={`Change ${name}`}
                onClick={editing.open}
              >
                Change
              </button>
              <button
                type="button"
                class="secondary small danger"
                ref={confirming.button}
                aria-label={`Delete ${name}`}
                onClick={confirming.open}
              >
                Delete
              </button>
            </>
          )}
          {question !== null && (
            <button
              type="button"
              class="secondary small"
              onClick={() => void open()}
              aria-label={`Ask “${question.name}” now`}
            >
              Ask it now
            </button>
          )}
          <button
            type="button"
            class="secondary small"
            aria-expanded={showsHistory}
            aria-label={`History of ${name}`}
            onClick={() => showHistory(!showsHistory)}
          >
            History
          </button>
        </div>
      )}
      <p class={said?.isFault ? "notice" : "soft"} role="status">
        {said?.words ?? ""}
      </p>
      {showsHistory && <History path={path} />}
    </section>
  );
};
