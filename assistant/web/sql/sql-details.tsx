import { useState } from "preact/hooks";
import { ChartSwitch } from "../chart/chart-switch.tsx";
import { CopyButton } from "../copy-button.tsx";
import { formatMs } from "../format.ts";
import { errorText } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { DataTable } from "../table/data-table.tsx";
import { type Answer, type SqlAnswer, sqlAnswerSchema } from "../wire.ts";
import { toSqlTokens } from "./sql-tokens.ts";

const plannerWords = (planner: Answer["planner"]): string =>
  planner === "llm" ? "by the language model" : "by the built-in rules";

const Timing = ({ answer }: { answer: Answer }) => {
  const timing = answer.timing_ms;
  if (!timing) return null;
  return (
    <p class="soft">
      Planned {plannerWords(answer.planner)} in {formatMs(timing.plan)}, queried in {formatMs(timing.query)}, answered
      in {formatMs(timing.total)} altogether.
    </p>
  );
};

/** The explanation of an answer, and the SQL that ran, which can be edited and run. */
export const SqlDetails = ({ answer }: { answer: Answer }) => (
  <details class="fold">
    <summary>How this was worked out</summary>
    <div class="worked">
      {answer.explanation && <p>{answer.explanation}</p>}
      <Sql sql={answer.sql} />
      <Timing answer={answer} />
    </div>
  </details>
);

const Sql = ({ sql }: { sql: string }) => {
  const [editing, setEditing] = useState(false);
  return (
    <div class="sql">
      <div class="sql-bar">
        <span>SQL</span>
        <span class="rows-actions">
          <button type="button" class="quiet small" aria-pressed={editing} onClick={() => setEditing(!editing)}>
            {editing ? "Back to what ran" : "Edit and run"}
          </button>
          <CopyButton label="Copy SQL" text={() => sql} />
        </span>
      </div>
      {editing ? <SqlRunner sql={sql} /> : <SqlText sql={sql} />}
    </div>
  );
};

const SqlText = ({ sql }: { sql: string }) => (
  <>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must scroll by keyboard too */}
    <pre tabIndex={0}>
      <code>
        {toSqlTokens(sql).map(({ kind, text }, index) => (
          <span key={index} class={`sql-${kind}`}>
            {text}
          </span>
        ))}
      </code>
    </pre>
  </>
);

type Run =
  | { readonly kind: "idle" | "running" }
  | { readonly kind: "done"; readonly data: SqlAnswer }
  | { readonly kind: "failed"; readonly words: string };

/** Edits and runs the answer's SQL: one SELECT over the organization's rows. */
const SqlRunner = ({ sql }: { sql: string }) => {
  const { client } = useSession();
  const [text, setText] = useState(sql);
  const [run, setRun] = useState<Run>({ kind: "idle" });

  const start = async (): Promise<void> => {
    if (run.kind === "running" || text.trim() === "") return;
    setRun({ kind: "running" });
    try {
      const body = { sql: text };
      setRun({
        kind: "done",
        data: await client.send({ method: "POST", path: "/reporting_ai/sql", body }, sqlAnswerSchema),
      });
    } catch (error) {
      // 422 is the guard's refusal, in a sentence of its own.
      setRun({ kind: "failed", words: errorText(error, 422) });
    }
  };

  return (
    <div class="sql-runner">
      <textarea
        aria-label="SQL to run"
        rows={Math.min(16, text.split("\n").length + 1)}
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void start();
        }}
      />
      <div class="sql-actions">
        <button type="button" class="primary" aria-disabled={run.kind === "running"} onClick={() => void start()}>
          {run.kind === "running" ? "Running…" : "Run"}
        </button>
        <span class="soft">One SELECT over your own rows. Ctrl Enter runs it.</span>
      </div>
      <div role="status">
        {run.kind === "failed" && <p class="notice">{run.words}</p>}
        {run.kind === "done" && run.data.rows.length === 0 && <p class="soft">It ran, and there is no row.</p>}
      </div>
      {run.kind === "done" && run.data.rows.length > 0 && (
        <>
          <ChartSwitch chart={run.data.chart_suggestion} data={run.data} title="Rows of a statement" />
          <DataTable data={run.data} caption="Rows of your SQL" />
        </>
      )}
    </div>
  );
};
