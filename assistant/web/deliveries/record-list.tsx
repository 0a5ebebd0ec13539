import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useArrowKeys } from "../arrow-keys.ts";
import { formatCount, formatMs } from "../format.ts";
import { type DeliveryRecord, subjectOf, toOutcome, toShortTime } from "./records.ts";
import type { Found } from "./use-records.ts";

type Props = {
  readonly found: Exclude<Found, { kind: "failed" }>;
  readonly current: string;
  readonly onOpen: (id: string) => void;
  readonly onMore: () => void;
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
        <time dateTime={record.created_at}>{toShortTime(record.created_at)}</time>
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

export const RecordList = ({ found, current, onOpen, onMore }: Props) => {
  const list = useRef<HTMLUListElement>(null);
  useArrowKeys(list);
  useReturn(list, current);
  if (found.kind === "loading")
    return (
      <p class="soft" role="status">
        Searching…
      </p>
    );
  const { records, total, cursor } = found;
  if (records.length === 0) {
    return (
      <p class="empty" role="status">
        Nothing was found. Try a longer time, or fewer conditions.
      </p>
    );
  }
  return (
    <>
      <p class="soft" role="status">
        {formatCount(total, "request")}, times in UTC
      </p>
      <ul class="records" ref={list} aria-label="Requests">
        {records.map((record) => (
          <Row key={record.id} record={record} current={current} onOpen={onOpen} />
        ))}
      </ul>
      {cursor !== null && (
        <button type="button" class="secondary more-records" onClick={onMore}>
          Show more
        </button>
      )}
    </>
  );
};
