import { useState } from "preact/hooks";
import { ChartSwitch } from "../chart/chart-switch.tsx";
import { send } from "../client.ts";
import { RequestError, toProblem } from "../problem.ts";
import { DataTable } from "../table/data-table.tsx";
import { type SqlAnswer, sqlAnswerSchema } from "../wire.ts";

type Props = { readonly token: string; readonly sql: string };
type Run =
  | { readonly kind: "idle" | "running" }
  | { readonly kind: "done"; readonly data: SqlAnswer }
  | { readonly kind: "failed"; readonly words: string };

const wordsOf = (error: unknown): string => {
  // What the guard refuses it says in a sentence of its own.
  if (error instanceof RequestError && error.status === 422) return error.message;
  const { title, advice } = toProblem(error);
  return `${title} ${advice}`;
};

/** SQL of one's own, beginning with the answer's: one SELECT over the organization's rows. */
export const SqlRunner = ({ token, sql }: Props) => {
  const [text, setText] = useState(sql);
  const [run, setRun] = useState<Run>({ kind: "idle" });

  const start = async (): Promise<void> => {
    if (run.kind === "running" || text.trim() === "") return;
    setRun({ kind: "running" });
    const sending = send(token, { method: "POST", path: "/reporting_ai/sql", body: { sql: text } }, sqlAnswerSchema);
    setRun(
      await sending.then(
        (data) => ({ kind: "done", data }) as const,
        (error) => ({ kind: "failed", words: wordsOf(error) }) as const,
      ),
    );
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
          <ChartSwitch chart={run.data.chart_suggestion} data={run.data} />
          <DataTable data={run.data} caption="Rows of your SQL" />
        </>
      )}
    </div>
  );
};
