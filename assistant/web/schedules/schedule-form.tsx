import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isNumeric, toLabel } from "../format.ts";
import { errorText } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { answerSchema, type Data, type SavedQuestion } from "../wire.ts";
import {
  changedSchema,
  type Draft,
  dayChoices,
  everyChoices,
  limitLabel,
  minuteChoices,
  operatorChoices,
  type Schedule,
  schedulesPath,
  sendsChoices,
  toBody,
  weekdayChoices,
} from "./schedules.ts";

type ChoiceProps<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly { readonly value: T; readonly label: string }[];
  readonly onChoose: (value: T) => void;
};

const Choice = <T extends string>({ label, value, choices, onChoose }: ChoiceProps<T>) => {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <select id={id} required value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
};

type TextProps = {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly type?: "text" | "number" | "time" | "url";
  readonly required?: boolean;
  readonly hint?: string;
};

const Text = ({ label, value, onInput, type = "text", required = true, hint }: TextProps) => {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <input
        id={id}
        // The types of inputs are told apart by their literals; this one is any of its own.
        type={type as "text"}
        required={required}
        step={type === "number" ? "any" : undefined}
        value={value}
        placeholder={hint}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
};

type Figures = { readonly question: string; readonly columns: Data["columns"] };

/** The figures that a question's answer has, once they are needed; null until they are read. */
const useFigures = (question: string, wanted: boolean) => {
  const { client } = useSession();
  const [figures, setFigures] = useState<Figures | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    if (!wanted || question === "") return;
    let current = true;
    setFault("");
    client.get(`/reporting_ai/saved/${encodeURIComponent(question)}/answer`, answerSchema).then(
      ({ data }) => current && setFigures({ question, columns: data.columns.filter(isNumeric) }),
      (error) => current && setFault(errorText(error, 404, 409)),
    );
    return () => {
      current = false;
    };
  }, [client, question, wanted]);
  return { columns: figures?.question === question ? figures.columns : null, fault };
};

type Props = {
  /** Null for a new one. */
  readonly schedule: Schedule | null;
  readonly draft: Draft;
  readonly questions: readonly SavedQuestion[];
  readonly canMail: boolean;
  /** Called with a new webhook's secret, else null. */
  readonly onSaved: (signingSecret: string | null) => void;
  readonly onCancel: () => void;
};

/** Creates or changes a schedule. */
export const ScheduleForm = ({ schedule, draft: given, questions, canMail, onSaved, onCancel }: Props) => {
  const { client, zone } = useSession();
  const [draft, setDraft] = useState(given);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>("select, input")?.focus({ preventScroll: true }), []);
  const set = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  const isAlert = draft.sends !== "answer";
  const { columns, fault: unread } = useFigures(draft.question, draft.sends === "figure");
  const column = columns?.find(({ name }) => name === draft.column);
  useEffect(() => {
    if (columns !== null && column === undefined) set({ column: columns[0]?.name ?? "" });
  }, [columns, column]);

  const save = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setFault("");
    const where =
      schedule === null
        ? ({ method: "POST", path: schedulesPath } as const)
        : ({ method: "PATCH", path: `${schedulesPath}/${encodeURIComponent(schedule.id)}` } as const);
    try {
      const { signing_secret } = await client.send({ ...where, body: toBody(draft) }, changedSchema);
      onSaved(signing_secret);
    } catch (error) {
      setFault(errorText(error, 403, 404, 409, 422));
      setBusy(false);
    }
  };

  const label = schedule === null ? "New schedule" : `Change ${schedule.name}`;
  return (
    <form
      class="panel schedule-form"
      ref={form}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      <h2>{label}</h2>
      <div class="filters">
        <Choice
          label="Saved question"
          value={draft.question}
          choices={[
            ...(draft.question === "" ? [{ value: "", label: "Choose…" }] : []),
            ...questions.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChoose={(question) => set({ question })}
        />
        <Text
          label="Name (optional)"
          value={draft.name}
          required={false}
          hint="The question's name"
          onInput={(name) => set({ name })}
        />
        <Choice
          label="Send"
          value={draft.sends}
          choices={sendsChoices}
          onChoose={(sends) =>
            set({ sends, ...(sends === "answer" && draft.every === "minutes" ? { every: "hour" } : {}) })
          }
        />
        {draft.sends === "figure" && (
          <>
            <Choice
              label="Figure"
              value={draft.column}
              choices={(columns ?? []).map(({ name }) => ({ value: name, label: toLabel(name) }))}
              onChoose={(chosen) => set({ column: chosen })}
            />
            <Choice
              label="Alert when it"
              value={draft.operator}
              choices={operatorChoices}
              onChoose={(operator) => set({ operator })}
            />
            <Text label={limitLabel(column)} type="number" value={draft.value} onInput={(value) => set({ value })} />
          </>
        )}
        <Choice
          label={isAlert ? "Look" : "When"}
          value={draft.every}
          choices={everyChoices(draft)}
          onChoose={(every) => set({ every })}
        />
        {draft.every === "minutes" && (
          <Choice
            label="How often"
            value={draft.minutes}
            choices={minuteChoices}
            onChoose={(minutes) => set({ minutes })}
          />
        )}
        {draft.every === "week" && (
          <Choice label="On" value={draft.weekday} choices={weekdayChoices} onChoose={(weekday) => set({ weekday })} />
        )}
        {draft.every === "month" && (
          <Choice label="On day" value={draft.day} choices={dayChoices} onChoose={(day) => set({ day })} />
        )}
        {draft.every !== "minutes" && draft.every !== "hour" && (
          <Text label={`At (${zone})`} type="time" value={draft.at} onInput={(at) => set({ at })} />
        )}
        <Choice
          label="Send by"
          value={draft.to}
          choices={[
            ...(canMail || draft.to === "mail" ? [{ value: "mail", label: "E-mail" } as const] : []),
            { value: "webhook", label: "Webhook" },
          ]}
          onChoose={(to) => set({ to })}
        />
        {draft.to === "mail" ? (
          <Text
            label="To (addresses by commas)"
            value={draft.addresses}
            onInput={(addresses) => set({ addresses })}
            hint="ann@customer.example"
          />
        ) : (
          <Text
            label="Address"
            type="url"
            value={draft.url}
            onInput={(url) => set({ url })}
            hint="https://hooks.customer.example/reports"
          />
        )}
      </div>
      {!canMail && <p class="soft">This installation sends no e-mail: its operator sets SMTP_URL and MAIL_FROM.</p>}
      {draft.sends === "figure" && columns === null && draft.question !== "" && (
        <p class="soft" role="status">
          {unread || "Reading the figures of the question…"}
        </p>
      )}
      {columns?.length === 0 && <p class="notice">The answer to this question has no figures.</p>}
      {fault !== "" && (
        <p class="notice" role="alert">
          {fault}
        </p>
      )}
      <div class="schedule-acts">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {schedule === null ? "Create" : "Save"}
        </button>
        <button type="button" class="secondary" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
};
