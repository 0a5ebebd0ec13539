import { useState } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { formatMs } from "../format.ts";
import type { Answer } from "../wire.ts";
import { SqlRunner } from "./sql-runner.tsx";
import { toSqlTokens } from "./sql-tokens.ts";

const plannerWords = (planner: string | null | undefined): string =>
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

/** How the answer came about: in words, and the statement that ran, which can be changed and run again. */
export const SqlDetails = ({ answer, token }: { answer: Answer; token: string }) => (
  <details class="fold">
    <summary>How this was worked out</summary>
    <div class="worked">
      {answer.explanation && <p>{answer.explanation}</p>}
      <Sql token={token} sql={answer.sql} />
      <Timing answer={answer} />
    </div>
  </details>
);

const Sql = ({ token, sql }: { token: string; sql: string }) => {
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
      {editing ? <SqlRunner token={token} sql={sql} /> : <SqlText sql={sql} />}
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
