import { ChartSwitch } from "../chart/chart-switch.tsx";
import { linkHash, scheduleHash } from "../hash-location.ts";
import { CloseIcon } from "../icons.tsx";
import { ReadProblem } from "../paged-list.tsx";
import { usePolled } from "../routing/use-polled.ts";
import { DataTable } from "../table/data-table.tsx";
import { Figures } from "../table/figures.tsx";
import { type Answer, answerSchema, type SavedQuestion } from "../wire.ts";

const everyMs = 60_000;

const Shown = ({ answer, name }: { answer: Answer; name: string }) => {
  const { data, chart_suggestion: chart } = answer;
  if (data.rows.length === 0) return <p class="soft">There is nothing to show in this period.</p>;
  if (chart?.type === "number") return <Figures data={data} />;
  const table = <DataTable data={data} caption={name} />;
  if (chart == null || chart.type === "table") return table;
  return <ChartSwitch chart={chart} data={data} table={table} />;
};

type Props = {
  readonly question: SavedQuestion;
  /** Its place on the board, from 0. */
  readonly place: number;
  readonly count: number;
  readonly mayChange: boolean;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
};

/** A pinned question with its answer of today, asked again every minute while it is looked at. */
export const BoardCard = ({ question, place, count, mayChange, onMove, onRemove }: Props) => {
  const { id, name, query } = question;
  const path = `/reporting_ai/saved/${encodeURIComponent(id)}/answer`;
  const { found, problem, read } = usePolled(path, answerSchema, undefined, everyMs);
  const title = `board-${id}`;
  const isFirst = place === 0;
  const isLast = place === count - 1;
  return (
    <section class="panel board-card" aria-labelledby={title}>
      <div class="panel-head">
        <h3 id={title}>
          <a href={linkHash({ question: query ?? name, plan: found?.plan })}>{name}</a>
        </h3>
        {mayChange && (
          <div class="board-acts">
            <button
              type="button"
              class="quiet small"
              aria-label={`Move ${name} earlier`}
              aria-disabled={isFirst}
              onClick={() => !isFirst && onMove(-1)}
            >
              ←
            </button>
            <button
              type="button"
              class="quiet small"
              aria-label={`Move ${name} later`}
              aria-disabled={isLast}
              onClick={() => !isLast && onMove(1)}
            >
              →
            </button>
            <button type="button" class="quiet small" aria-label={`Take ${name} off`} onClick={onRemove}>
              <CloseIcon />
            </button>
          </div>
        )}
      </div>
      {problem !== null && <ReadProblem problem={problem} onRetry={() => void read()} />}
      {found === null && problem === null && <p class="soft">Asking…</p>}
      {found !== null && (
        <>
          {found.interpretation && <p class="soft">{found.interpretation.summary}</p>}
          <Shown answer={found} name={name} />
          <p>
            <a class="in-text" href={scheduleHash(id)} aria-label={`Schedule or alert: ${name}`}>
              Schedule or alert
            </a>
          </p>
        </>
      )}
    </section>
  );
};
