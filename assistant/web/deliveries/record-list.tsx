import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatCount, formatMs } from "../format.ts";
import { formatShort } from "../format-time.ts";
import { useArrowKeys } from "../keyboard.ts";
import { PagedListView } from "../paged-list.tsx";
import { useZone } from "../session-context.ts";
import type { PagedList } from "../use-paged-list.ts";
import { type DeliveryRecord, subjectOf, toOutcome } from "./records.ts";

type Props = {
  readonly records: {
    readonly list: PagedList<DeliveryRecord>;
    readonly more: () => void;
    readonly retry: () => void;
  };
  /** The id of the open record; empty for none. */
  readonly current: string;
  readonly onOpen: (id: string) => void;
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
        <time dateTime={record.created_at}>{formatShort(record.created_at, useZone())}</time>
        {record.response_time_ms != null && <span>{formatMs(record.response_time_ms)}</span>}
      </span>
    </button>
  </li>
);

/** Focuses the row of the record that was open, once it is closed. */
const useFocusAfterClose = (list: RefObject<HTMLElement | null>, current: string): void => {
  const last = useRef("");
  useLayoutEffect(() => {
    const id = last.current;
    last.current = current;
    if (current === "" && id !== "")
      list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
  }, [list, current]);
};

export const RecordList = ({ records, current, onOpen }: Props) => {
  const zone = useZone();
  const list = useRef<HTMLUListElement>(null);
  useArrowKeys(list);
  useFocusAfterClose(list, current);
  return (
    <PagedListView source={records} element={list} loading="Searching…" buttonClass="secondary more-records">
      {({ rows, total, rest }, end) => (
        <>
          <p class={rows.length === 0 ? "empty" : "soft"} role="status">
            {rest.kind === "loading"
              ? "Searching…"
              : rows.length === 0
                ? "No request matches. Choose a longer time, or remove filters."
                : `${formatCount(total, "request")}, times in ${zone}`}
          </p>
          {rows.length > 0 && (
            <ul class="records" ref={list} aria-label="Requests">
              {rows.map((record) => (
                <Row key={record.id} record={record} current={current} onOpen={onOpen} />
              ))}
            </ul>
          )}
          {end}
        </>
      )}
    </PagedListView>
  );
};
