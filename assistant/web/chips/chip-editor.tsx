import { useState } from "preact/hooks";
import { dayMs, toLocal } from "../../../ingest/time-zone.ts";
import { isoDate, startOf } from "../../calendar.ts";
import { nowMs } from "../clock.ts";
import { type LocalEnds, type LocalRange, type PeriodOption, PeriodPanel } from "../period/period-panel.tsx";
import { datesOf, questionSpans } from "../period/spans.ts";
import { useZone } from "../session-context.ts";
import type { Catalog, PlanEdit } from "../wire.ts";
import {
  type Chip,
  comparisons,
  type EditablePlan,
  subjectIn,
  toCompareWords,
  withConditions,
  withGroup,
  withMeasure,
  withNewCondition,
  withoutChip,
} from "./edit-plan.ts";
import { FilterEditor, NewFilter } from "./filter-editor.tsx";
import { InlineForm, OptionList } from "./option-list.tsx";

/** An edited plan, with words for periods that the server is to read. */
export type EditedPlan = { readonly plan: EditablePlan } & Pick<PlanEdit, "period" | "compare">;

const allData = "all data";

/** The dates of a plan's period on the wall clock. */
const endsOf = (period: EditablePlan["period"], zone: string): LocalEnds => {
  const local = (time: unknown): number | null => (typeof time === "string" ? toLocal(Date.parse(time), zone) : null);
  const [from, to] = [local(period?.["from"]), local(period?.["to"])];
  // A question's span is one of whole days.
  const end = to === null ? null : startOf("day", to);
  return { from: from === null ? null : startOf("day", from), to: end === null || end === to ? end : end + dayMs };
};

/** "2026-11-01 to 2026-11-20", as questions name spans of days. */
const rangeWords = ({ from, to }: LocalRange): string =>
  to - from === dayMs ? isoDate(from) : `${isoDate(from)} to ${isoDate(to - dayMs)}`;

type PeriodProps = {
  readonly title: string;
  /** The period's present words; null where there is none. */
  readonly current: string | null;
  readonly period: EditablePlan["period"];
  readonly options: readonly PeriodOption[];
  readonly example: string;
  readonly onChoose: (words: string) => void;
};

/** A period that is often asked for, one of a calendar, or one in words. */
const PeriodEditor = ({ title, current, period, options, example, onChoose }: PeriodProps) => {
  const zone = useZone();
  const [text, setText] = useState("");
  return (
    <>
      <PeriodPanel
        title={title}
        options={options}
        current={current}
        ends={endsOf(period, zone)}
        withTimes={false}
        onChoose={onChoose}
        onRange={(range) => onChoose(rangeWords(range))}
      />
      <InlineForm
        label="Another period"
        placeholder={`Another, such as ${example}`}
        maxLength={120}
        text={text}
        canApply={text.trim() !== ""}
        onText={setText}
        onApply={() => onChoose(text.trim())}
      />
    </>
  );
};

/** Usual periods by the words that questions have for them, with their dates. */
const usualPeriods = (zone: string): readonly PeriodOption[] => {
  const at = { nowMs: nowMs(), zone };
  const named = questionSpans.map((span) => ({
    name: span.label.toLowerCase(),
    label: span.label,
    dates: datesOf(span, at),
  }));
  return [...named, { name: allData, label: "All data", dates: "" }];
};

const sentenceCase = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

type Props = {
  readonly chip: Chip;
  readonly plan: EditablePlan;
  readonly catalog: Catalog;
  readonly onEdit: (edited: EditedPlan) => void;
};

const GroupEditor = ({ chip, plan, catalog, onEdit }: Props) => {
  const current =
    chip.kind === "grain" ? plan.grain : chip.kind === "group" ? (plan.dimensions[chip.at] ?? null) : null;
  const taken = new Set([plan.grain, ...plan.dimensions].filter((name) => name !== current));
  const dimensions = subjectIn(catalog, plan)?.dimensions ?? [];
  return (
    <OptionList
      title="Find a grouping"
      current={current}
      options={[...catalog.grains, ...dimensions].filter(({ name }) => !taken.has(name))}
      onChoose={(name) => onEdit({ plan: withGroup(plan, chip, { name, catalog }) })}
    />
  );
};

/** A new period is compared with the one before it, or a year earlier, if the old one was. */
const changePeriod = (plan: EditablePlan, words: string): EditedPlan => {
  if (words === allData) return { plan, period: null };
  const compare = plan.compare === null ? {} : { compare: toCompareWords(plan.compare.label) };
  return { plan, period: words, ...compare };
};

const Body = (props: Props) => {
  const { chip, plan, catalog, onEdit } = props;
  const zone = useZone();
  const subject = subjectIn(catalog, plan);
  switch (chip.kind) {
    case "period":
      return (
        <PeriodEditor
          title="Period"
          options={usualPeriods(zone)}
          example="October 2026"
          current={plan.period?.label ?? allData}
          period={plan.period}
          onChoose={(words) => onEdit(changePeriod(plan, words))}
        />
      );
    case "compare":
    case "new_compare":
      return (
        <PeriodEditor
          title="Compare with"
          options={comparisons.map((name) => ({ name, label: sentenceCase(name), dates: "" }))}
          example="September 2026"
          period={plan.compare}
          current={plan.compare === null ? null : toCompareWords(plan.compare.label)}
          onChoose={(compare) => onEdit({ plan, compare })}
        />
      );
    case "measure":
      return (
        <OptionList
          title="Find a figure"
          current={plan.measures[chip.at] ?? null}
          options={subject?.measures ?? []}
          onChoose={(name) => onEdit({ plan: withMeasure(plan, chip.at, name) })}
        />
      );
    case "filter":
    case "having": {
      const place = { list: chip.kind === "filter" ? "filters" : "having", at: chip.at } as const;
      const filter = plan[place.list][chip.at];
      // One of several conditions that will do stands or goes with the others.
      if (filter === undefined || filter.or !== undefined) return null;
      return (
        <FilterEditor
          filter={filter}
          subject={subject}
          label={chip.label}
          onChange={(conditions) => onEdit({ plan: withConditions(plan, place, conditions) })}
        />
      );
    }
    case "new_filter":
      return subject === undefined ? null : (
        <NewFilter
          plan={plan}
          subject={subject}
          catalog={catalog}
          onAdd={(list, conditions) =>
            onEdit({ plan: conditions.reduce((held, each) => withNewCondition(held, list, each), plan) })
          }
        />
      );
    case "grain":
    case "group":
    case "new_group":
      return <GroupEditor {...props} />;
  }
};

const removable: ReadonlySet<Chip["kind"]> = new Set(["group", "grain", "filter", "having", "compare"]);

/** Edits the part of the plan that a chip stands for. */
export const ChipEditor = (props: Props) => {
  const { chip, plan, onEdit } = props;
  return (
    <div class="chip-editor">
      <Body {...props} />
      {removable.has(chip.kind) && (
        <button type="button" class="quiet remove" onClick={() => onEdit({ plan: withoutChip(plan, chip) })}>
          Remove
        </button>
      )}
    </div>
  );
};
