import { ChartSwitch } from "../chart/chart-switch.tsx";
import { toEditablePlan } from "../chips/edit-plan.ts";
import { Choices } from "../chips/option-list.tsx";
import { ScopeChips } from "../chips/scope-chips.tsx";
import { formatDate } from "../format-time.ts";
import { DoneIcon, ScopeIcon } from "../icons.tsx";
import { NarrowPanel } from "../narrow/narrow-panel.tsx";
import { useNarrowing } from "../narrow/use-narrowing.ts";
import { useSession, useZone } from "../session-context.ts";
import { SqlDetails } from "../sql/sql-details.tsx";
import { DataTable } from "../table/data-table.tsx";
import { Figures } from "../table/figures.tsx";
import { type Answer, type Approval, approvedBy, type PlanEdit } from "../wire.ts";
import { Feedback, type KeptList } from "./feedback.tsx";

type Props = {
  readonly answer: Answer;
  readonly question: string;
  readonly isLast: boolean;
  readonly busy: boolean;
  readonly onAsk: (question: string, edited?: PlanEdit) => void;
  readonly onChanged: (list: KeptList) => void;
};

const Rows = ({ answer, question, busy, onAsk }: Pick<Props, "answer" | "question" | "busy" | "onAsk">) => {
  const { data, chart_suggestion: chart, interpretation } = answer;
  const { table, chart: marks, pick } = useNarrowing({ answer, busy, onAsk });
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
    return <p class="empty">There is nothing to show. Choose a longer time, or remove filters.</p>;
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
      <ChartSwitch chart={chart} data={data} onPick={pick} title={interpretation?.summary ?? question} />
      {marks !== null && marks.chosen !== null && marks.options.length > 0 && (
        <NarrowPanel title={marks.title} options={marks.options} onChoose={marks.ask} onClose={marks.close} />
      )}
      <DataTable data={data} caption={question} narrowable={table} />
    </>
  );
};

/** The dates in a summary, "(Oct 1 – 31, 2026)", "Nov 20, 2026" or "over all data"; else all of it. */
const datesOf = (summary: string): string =>
  /\([^()]*\d{4}[^()]*\)|[A-Z][a-z]{2} \d[^()]*, \d{4}|over all data/.exec(summary)?.[0] ?? summary;

/** The plan of the question: chips that edit it where the page can read it, else one line. */
const Scope = ({ answer, busy, onAsk }: Pick<Props, "answer" | "busy" | "onAsk">) => {
  const { catalog } = useSession();
  const { interpretation, plan } = answer;
  if (!interpretation) return null;
  const editable = toEditablePlan(plan);
  const { summary, filters, grouping } = interpretation;
  if (editable !== null && catalog !== null) {
    return (
      <ScopeChips
        plan={editable}
        // The chips say the rest of it.
        summary={answer.answer.includes(datesOf(summary)) ? null : summary}
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

const ApprovalNote = ({ approval }: { approval: Approval }) => (
  <p class="scope">
    <DoneIcon />
    <span>
      Read as approved {approvedBy(approval)} on {formatDate(approval.approved_at, useZone())}
    </span>
  </p>
);

/** The rules' reading beside a language model's, to be taken instead. */
const OtherReading = ({ answer, busy, onAsk }: Pick<Props, "answer" | "busy" | "onAsk">) => {
  const { other_reading: other } = answer;
  if (other == null) return null;
  return (
    <p class="scope">
      <ScopeIcon />
      <span>
        Read by the built-in rules:{" "}
        <button type="button" class="quiet" disabled={busy} onClick={() => onAsk(other.summary, { plan: other.plan })}>
          {other.summary}
        </button>
      </span>
    </p>
  );
};

/** Everything below the answer's sentence: its scope, the chart, the rows, the SQL, and what to ask next. */
export const AnswerView = ({ answer, question, isLast, busy, onAsk, onChanged }: Props) => {
  const { clarification, explanation, approval, message_id: messageId } = answer;
  const queried = answer.sql !== "";
  return (
    <>
      {approval != null && <ApprovalNote approval={approval} />}
      <Scope answer={answer} busy={busy} onAsk={onAsk} />
      <OtherReading answer={answer} busy={busy} onAsk={onAsk} />
      {answer.model_summary != null && (
        <p class="scope">
          <ScopeIcon />
          <span>In the language model's words: {answer.model_summary}</span>
        </p>
      )}
      {queried && <Rows answer={answer} question={question} busy={busy} onAsk={onAsk} />}
      {queried ? <SqlDetails answer={answer} /> : explanation && <p class="soft">{explanation}</p>}
      {queried && messageId != null && (
        <Feedback key={messageId} messageId={messageId} answer={answer} question={question} onChanged={onChanged} />
      )}
      {isLast && !busy && clarification != null && (
        <Choices
          title={clarification.question === answer.answer ? "Choose one" : clarification.question}
          look="chips"
          options={clarification.options}
          onChoose={onAsk}
        />
      )}
      {isLast && !busy && clarification == null && answer.follow_ups.length > 0 && (
        <Choices title="Ask next" look="chips" options={answer.follow_ups} onChoose={onAsk} />
      )}
    </>
  );
};
