import { useState } from "preact/hooks";
import "../styles/board.css";
import "../styles/schedules.css";
import { CopyButton } from "../copy-button.tsx";
import { useDisclosure } from "../keyboard.ts";
import { ReadProblem } from "../paged-list.tsx";
import { usePolled } from "../routing/use-polled.ts";
import { useMay, useSession } from "../session-context.ts";
import { savedQuestionsSchema } from "../wire.ts";
import { ScheduleCard } from "./schedule-card.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { newDraft, schedulesPath, schedulesSchema } from "./schedules.ts";

const everyMs = 10_000;

/** Saved questions that are asked by themselves, their answers sent by mail or webhook. `question` begins a new one. */
const SchedulesView = ({ question }: { question: string | null }) => {
  const { demo } = useSession();
  const maySave = useMay("questions:write");
  const { found, problem, read } = usePolled(`${schedulesPath}?limit=100`, schedulesSchema, undefined, everyMs);
  const saved = usePolled("/reporting_ai/saved?limit=200", savedQuestionsSchema, undefined, 60_000);
  const creating = useDisclosure();
  const [answered, setAnswered] = useState<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [told, tell] = useState("");
  const questions = saved.found?.data ?? [];
  // The link to a question opens the form once.
  const isLinked = question !== null && answered !== question && questions.some(({ id }) => id === question);
  const isOpen = maySave && (creating.isOpen || isLinked);
  const close = (): void => {
    setAnswered(question);
    creating.close();
  };
  const mayCreate = maySave && demo?.readOnly !== true && saved.found !== null;
  return (
    <main class="overview schedules">
      <div class="panel-head">
        <h1>Schedules</h1>
        {mayCreate && questions.length > 0 && !isOpen && (
          <button type="button" class="secondary" ref={creating.button} onClick={creating.open}>
            New schedule
          </button>
        )}
      </div>
      <p class="soft">
        Saved questions that are asked by themselves: their answers come by e-mail or webhook, and alerts tell when a
        figure passes a limit and when it is over.{maySave ? "" : " Analysts of your organization create them."}
      </p>
      <p class="visually-hidden" role="status">
        {told}
      </p>
      {secret !== null && (
        <div class="panel" role="status">
          <p>The webhook's requests are signed with this secret, which is shown this once:</p>
          <p>
            <code class="schedule-secret">{secret}</code> <CopyButton text={() => secret} label="Copy secret" />
          </p>
          <button type="button" class="secondary small" onClick={() => setSecret(null)}>
            I have it
          </button>
        </div>
      )}
      {isOpen && found !== null && (
        <ScheduleForm
          schedule={null}
          draft={newDraft(isLinked ? question : "", found.can_mail)}
          questions={questions}
          canMail={found.can_mail}
          onSaved={(signingSecret) => {
            setSecret(signingSecret);
            tell("The schedule is created.");
            close();
            void read();
          }}
          onCancel={close}
        />
      )}
      {problem !== null && <ReadProblem problem={problem} onRetry={() => void read()} />}
      {found === null && problem === null && <p class="soft">Reading…</p>}
      {found?.data.length === 0 && !isOpen && (
        <p class="soft">
          Nothing is scheduled yet.{" "}
          {maySave && saved.found !== null && questions.length === 0 && (
            <>
              <a class="in-text" href="#ask">
                Ask a question
              </a>
              , choose “Save” under its answer, then schedule it here.
            </>
          )}
        </p>
      )}
      {found?.data.map((schedule) => (
        <ScheduleCard
          key={schedule.id}
          schedule={schedule}
          questions={questions}
          canMail={found.can_mail}
          onChanged={read}
          onSecret={setSecret}
        />
      ))}
    </main>
  );
};

export const view = SchedulesView;
