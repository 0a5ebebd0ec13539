import { CopyButton } from "./copy-button.tsx";
import { formatMs } from "./format.ts";
import { toSqlTokens } from "./sql-tokens.ts";
import type { Answer } from "./wire.ts";

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

/** How the answer came about: in words, and the statement that ran. */
export const SqlDetails = ({ answer }: { answer: Answer }) => (
  <details class="fold">
    <summary>How this was worked out</summary>
    <div class="worked">
      {answer.explanation && <p>{answer.explanation}</p>}
      <div class="sql">
        <div class="sql-bar">
          <span>SQL</span>
          <CopyButton label="Copy SQL" text={() => answer.sql} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must scroll by keyboard too */}
        <pre tabIndex={0}>
          <code>
            {toSqlTokens(answer.sql).map(({ kind, text }, index) => (
              <span key={index} class={`sql-${kind}`}>
                {text}
              </span>
            ))}
          </code>
        </pre>
      </div>
      <Timing answer={answer} />
    </div>
  </details>
);
