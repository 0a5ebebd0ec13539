import { useState } from "preact/hooks";
import { type EditablePlan, toEditablePlan } from "../chips/edit-plan.ts";
import { describePlan } from "../chips/plan-chips.ts";
import { useSession, useZone } from "../session-context.ts";
import type { Answer, PlanEdit, Row } from "../wire.ts";
import { type Narrowing, narrowingsOf, planOfRow, rowOfMark, rowTitle } from "./narrow.ts";

/** A row that was chosen, in the chart or in the table. */
type Chosen = { readonly row: Row; readonly of: "chart" | "table" };

/** The parts of an answer that narrowing it to a row or a mark needs. */
export type Narrowable = {
  readonly chosen: Row | null;
  readonly title: string;
  readonly options: readonly Narrowing[];
  readonly canChoose: (row: Row) => boolean;
  readonly choose: (row: Row) => void;
  readonly ask: (narrowing: Narrowing) => void;
  readonly close: () => void;
};

type Given = {
  readonly answer: Answer;
  readonly busy: boolean;
  readonly onAsk: (question: string, edited: PlanEdit) => void;
};

/** Lets a row of an answer be looked into, from its chart and from its table; null where its plan allows none. */
export const useNarrowing = ({ answer, busy, onAsk }: Given) => {
  const { catalog } = useSession();
  const zone = useZone();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const plan = toEditablePlan(answer.plan);
  if (plan === null || catalog === null || busy) return { table: null, chart: null, pick: null };
  const { data } = answer;

  const of = (place: Chosen["of"]): Narrowable => {
    const row = chosen?.of === place ? chosen.row : null;
    return {
      chosen: row,
      title: row === null ? "" : rowTitle(plan, row, { columns: data.columns, zone }),
      options: row === null ? [] : narrowingsOf(plan, row, catalog),
      canChoose: (each) => planOfRow(plan, each, catalog) !== null,
      choose: (each) => setChosen(row === each ? null : { row: each, of: place }),
      ask: ({ plan: next }) => {
        setChosen(null);
        onAsk(describePlan(next as EditablePlan, catalog, { filters: [], grouping: [] }), { plan: next });
      },
      close: () => setChosen(null),
    };
  };
  const canPick = data.rows.some((row) => planOfRow(plan, row, catalog) !== null);
  const pick = (datum: unknown): void => {
    const row = rowOfMark(datum, plan, data);
    setChosen(row === null ? null : { row, of: "chart" });
  };
  return { table: of("table"), chart: of("chart"), pick: canPick ? pick : null };
};
