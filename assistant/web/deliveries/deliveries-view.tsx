import { useCallback, useMemo } from "preact/hooks";
import { nowMs } from "../clock.ts";
import { useSession } from "../session-context.ts";
import { type ReadPage, usePagedList } from "../use-paged-list.ts";
import { RecordList } from "./record-list.tsx";
import { RecordView } from "./record-view.tsx";
import { type DeliveryRecord, listPath, recordsSchema } from "./records.ts";
import { readSearch, type Search, toHash, toParameters } from "./search.ts";
import { SearchForm } from "./search-form.tsx";

/** The records that a search finds. */
const useRecords = (search: Search) => {
  const { client, zone } = useSession();
  const { direction, text, status, kind, hours, from, to } = search;
  const readPage: ReadPage<DeliveryRecord> = useCallback(
    async (after) => {
      const sought = { direction, text, status, kind, hours, from, to, open: "" };
      const parameters = toParameters(sought, { nowMs: nowMs(), zone, cursor: after?.cursor ?? null });
      const { data, meta } = await client.get(`${listPath(direction)}?${parameters}`, recordsSchema);
      return { rows: data, total: meta.total, cursor: meta.next_cursor ?? null };
    },
    [client, zone, direction, text, status, kind, hours, from, to],
  );
  return usePagedList(readPage, "shown");
};

const go = (search: Search): void => {
  location.hash = toHash(search);
};

/** Requests sent to and received from customers' systems: searched, opened, and sent again. */
export const DeliveriesView = ({ hash }: { hash: string }) => {
  const search = useMemo(() => readSearch(hash), [hash]);
  const records = useRecords(search);
  // Reads the address itself: of two changes in a row, the second comes before the first is drawn, and would undo it.
  const change = (part: Partial<Search>): void => go({ ...readSearch(location.hash.slice(1)), open: "", ...part });
  return (
    <main class="deliveries" data-open={search.open !== ""}>
      <h1 id="deliveries-title">Webhook deliveries</h1>
      <section class="deliveries-list" aria-labelledby="deliveries-title">
        <SearchForm search={search} onChange={change} onReload={records.reload} />
        <RecordList records={records} current={search.open} onOpen={(open) => go({ ...search, open })} />
      </section>
      {search.open !== "" && (
        <RecordView
          key={search.open}
          direction={search.direction}
          id={search.open}
          onOpen={(open) => go({ ...search, open })}
          onBack={() => go({ ...search, open: "" })}
        />
      )}
    </main>
  );
};
