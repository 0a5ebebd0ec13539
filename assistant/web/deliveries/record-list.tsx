import type { RefObject } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import { useArrowKeys } from "../arrow-keys.ts";
import { useFocusOnGrowth } from "../focus-on-growth.ts";
import { formatCount, formatMs } from "../format.ts";
import { formatShort } from "../format-time.ts";
import { ListEnd, ReadProblem } from "../list-end.tsx";
import { Zone } from "../zone.ts";
import { type DeliveryRecord, subjectOf, toOutcome } from "./records.ts";
import type { useRecords } from "./use-records.ts";

type Props = {
  readonly records: ReturnType<typeof useRecords>;
  readonly current: string;
  readonly onOpen: (id: string) => void;
  readonly onSignInAgain: () => void;
};

export const Badge = ({ record }: { record: Pick<DeliveryRecord, "response_status_code"> }) => {
  const { label, tone } = toOutcome(record);
  return <span class={`badge badge-${tone}`}>{label}</span>;
};

const Row = ({ record, current, onOpen }: { record: DeliveryRecord } & Pick<Props, "current" | "onOpen">) => (
  <li>
    <button
      type="button"
      class="record-row"
      data-id={record.id}
      aria-current={record.id === current ? "true" : undefined}
      onClick={() => onOpen(record.id)}
    >
      <Badge record={record} />
      <span class="record-what">
        <strong>{subjectOf(record)}</strong>
        <span class="soft">{record.webhook_config_name ?? record.path}</span>
      </span>
      <span class="record-when soft">
        <time dateTime={record.created_at}>{formatShort(record.created_at, useContext(Zone))}</time>
        {record.response_time_ms != null && <span>{formatMs(record.response_time_ms)}</span>}
      </span>
    </button>
  </li>
);

/** Brings the keyboard back to the row of a record that was open and is no more. */
const useReturn = (list: RefObject<HTMLElement | null>, current: string): void => {
  const left = useRef("");
  useLayoutEffect(() => {
    const id = left.current;
    left.current = current;
    if (current === "" && id !== "")
      list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
  }, [list, current]);
};

export const RecordList = ({ records: { listed, more, again }, current, onOpen, onSignInAgain }: Props) => {
  const zone = useContext(Zone);
  const list = useRef<HTMLUListElement>(null);
  useArrowKeys(list);
  useReturn(list, current);
  const mark = useFocusOnGrowth(list, listed.kind === "found" ? listed.rows.length : 0);
  if (listed.kind === "loading")
    return (
      <p class="soft" role="status">
        Searching…
      </p>
    );
  if (listed.kind === "failed")
    return <ReadProblem problem={listed.problem} onAgain={again} onSignInAgain={onSignInAgain} />;
  const { rows, total, cursor, rest } = listed;
  const showMore = (): void => {
    mark();
    more();
  };
  const counted =
    rows.length === 0
      ? "Nothing was found. Try a longer time, or fewer conditions."
      : `${formatCount(total, "request")}, times in ${zone}`;
  return (
    <>
      <p class={rows.length === 0 ? "empty" : "soft"} role="status">
        {rest.kind === "loading" ? "Searching…" : counted}
      </p>
      {rows.length > 0 && (
        <ul class="records" ref={list} aria-label="Requests">
          {rows.map((record) => (
            <Row key={record.id} record={record} current={current} onOpen={onOpen} />
          ))}
        </ul>
      )}
      <ListEnd
        rest={rest}
        onSignInAgain={onSignInAgain}
        hasMore={cursor !== null}
        look="secondary more-records"
        onMore={showMore}
        onAgain={again}
      />
    </>
  );
};
