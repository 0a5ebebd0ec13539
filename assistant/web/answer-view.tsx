import { drawableSpec } from "./chart-spec.ts";
import { ChartView } from "./chart-view.tsx";
import { Choices } from "./choices.tsx";
import { DataTable } from "./data-table.tsx";
import { Figures } from "./figures.tsx";
import { ScopeIcon } from "./icons.tsx";
import { SqlDetails } from "./sql-details.tsx";
import type { Answer } from "./wire.ts";

type Props = {
  readonly answer: Answer;
  readonly question: string;
  readonly isLast: boolean;
  readonly onAsk: (question: string) => void;
};

const Rows = ({ answer, question }: Pick<Props, "answer" | "question">) => {
  const { data, chart_suggestion: chart } = answer;
  if (data.rows.length === 0) {
    return <p class="empty">There is nothing to show. Try a longer period, or ask again with fewer conditions.</p>;
  }
  if (chart?.type === "number") {
    return (
      <>
        <Figures data={data} />
        <details class="fold">
          <summary>As a table</summary>
          <DataTable data={data} caption={question} />
        </details>
      </>
    );
  }
  const spec = drawableSpec(chart, data);
  return (
    <>
      {chart && spec !== null && <ChartView chart={chart} spec={spec} data={data} />}
      <DataTable data={data} caption={question} />
    </>
  );
};

/** All below the answer's sentence: its scope, the chart, the rows, the SQL, and where to go from here. */
export const AnswerView = ({ answer, question, isLast, onAsk }: Props) => {
  const { clarification, interpretation, explanation } = answer;
  const queried = answer.sql !== "";
  const asks = clarification ?? null;
  return (
    <>
      {interpretation && !answer.answer.includes(interpretation.summary) && (
        <p class="scope">
          <ScopeIcon />
          <span>{interpretation.summary}</span>
        </p>
      )}
      {queried && <Rows answer={answer} question={question} />}
      {queried ? <SqlDetails answer={answer} /> : explanation && <p class="soft">{explanation}</p>}
      {isLast && asks !== null && (
        <Choices
          title={asks.question === answer.answer ? "Choose one" : asks.question}
          look="chips"
          options={asks.options}
          onChoose={onAsk}
        />
      )}
      {isLast && asks === null && answer.follow_ups.length > 0 && (
        <Choices title="Ask next" look="chips" options={answer.follow_ups} onChoose={onAsk} />
      )}
    </>
  );
};
