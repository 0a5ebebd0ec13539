import { useContext } from "preact/hooks";
import { ChartSwitch } from "./chart/chart-switch.tsx";
import { Choices } from "./chips/choices.tsx";
import { toEditablePlan } from "./chips/editable-plan.ts";
import { ScopeChips } from "./chips/scope-chips.tsx";
import type { Edited } from "./conversation.ts";
import { Feedback, type Kept } from "./feedback.tsx";
import { Figures } from "./figures.tsx";
import { DoneIcon, ScopeIcon } from "./icons.tsx";
import { approvedBy, approvedOn } from "./side/approval-words.ts";
import { SqlDetails } from "./sql/sql-details.tsx";
import { DataTable } from "./table/data-table.tsx";
import type { Answer, Approval, Catalog } from "./wire.ts";
import { Zone } from "./zone.ts";

type Props = {
  readonly answer: Answer;
  readonly question: string;
  readonly isLast: boolean;
  readonly busy: boolean;
  readonly token: string;
  readonly catalog: Catalog | null;
  readonly onAsk: (question: string, edited?: Edited) => void;
  readonly onKept: (what: Kept) => void;
};

const Rows = ({ answer, question, onAsk }: Pick<Props, "answer" | "question" | "onAsk">) => {
  const { data, chart_suggestion: chart } = answer;
  if (data.rows.length === 0 && data.row_count > 0 && answer.plan !== null) {
    return (
      <div class="empty">
        <p>This answer was too large to keep with its rows.</p>
        <button type="button" class="secondary" onClick={() => onAsk(question, { plan: answer.plan })}>
          Ask it again
        </button>
      </div>
    );
  }
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
  return (
    <>
      <ChartSwitch chart={chart} data={data} />
      <DataTable data={data} caption={question} />
    </>
  );
};

/** "(2026-10-01 to 2026-10-31, America/New_York)", or "all data": what a summary ends with; all of one that does not. */
const datesOf = (summary: string): string => /\([^()]*\)$|over all data$/.exec(summary)?.[0] ?? summary;

/** How the question was read: to be changed where the page knows the plan, else as one line. */
const Scope = ({
  answer,
  busy,
  token,
  catalog,
  onAsk,
}: Pick<Props, "answer" | "busy" | "token" | "catalog" | "onAsk">) => {
  const { interpretation, plan } = answer;
  const editable = toEditablePlan(plan);
  if (!interpretation) return null;
  const { summary, filters, grouping } = interpretation;
  if (editable !== null && catalog !== null) {
    // The chips say the rest of it.
    const said = answer.answer.includes(datesOf(summary)) ? null : summary;
    return (
      <ScopeChips
        plan={editable}
        summary={said}
        token={token}
        catalog={catalog}
        words={{ filters, grouping }}
        busy={busy}
        onAsk={onAsk}
      />
    );
  }
  if (answer.answer.includes(summary)) return null;
  return (
    <p class="scope">
      <ScopeIcon />
      <span>{summary}</span>
    </p>
  );
};

/** That the question was not read anew. */
const FromApproved = ({ approval }: { approval: Approval }) => (
  <p class="scope">
    <DoneIcon />
    <span>
      Read as approved {approvedBy(approval)} on {approvedOn(approval, useContext(Zone))}
    </span>
  </p>
);

/** All below the answer's sentence: its scope, the chart, the rows, the SQL, and where to go from here. */
export const AnswerView = ({ answer, question, isLast, busy, token, catalog, onAsk, onKept }: Props) => {
  const { clarification, explanation, approval, message_id: messageId } = answer;
  const queried = answer.sql !== "";
  const asks = clarification ?? null;
  return (
    <>
      {approval != null && <FromApproved approval={approval} />}
      <Scope answer={answer} busy={busy} token={token} catalog={catalog} onAsk={onAsk} />
      {queried && <Rows answer={answer} question={question} onAsk={onAsk} />}
      {queried ? <SqlDetails answer={answer} token={token} /> : explanation && <p class="soft">{explanation}</p>}
      {queried && messageId != null && (
        <Feedback
          key={messageId}
          token={token}
          messageId={messageId}
          answer={answer}
          question={question}
          onKept={onKept}
        />
      )}
      {isLast && !busy && asks !== null && (
        <Choices
          title={asks.question === answer.answer ? "Choose one" : asks.question}
          look="chips"
          options={asks.options}
          onChoose={onAsk}
        />
      )}
      {isLast && !busy && asks === null && answer.follow_ups.length > 0 && (
        <Choices title="Ask next" look="chips" options={answer.follow_ups} onChoose={onAsk} />
      )}
    </>
  );
};
