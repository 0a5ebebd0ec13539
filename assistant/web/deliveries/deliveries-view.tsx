import { useMemo } from "preact/hooks";
import { RecordList } from "./record-list.tsx";
import { RecordView } from "./record-view.tsx";
import { readSearch, type Search, toHash } from "./search.ts";
import { SearchForm } from "./search-form.tsx";
import { useRecords } from "./use-records.ts";

type Props = { readonly token: string; readonly hash: string; readonly onSignInAgain: () => void };

const go = (search: Search): void => {
  location.hash = toHash(search);
};

/** What was sent to and received from customers' systems: searched, opened, and sent once more. */
export const DeliveriesView = ({ token, hash, onSignInAgain }: Props) => {
  const search = useMemo(() => readSearch(hash), [hash]);
  const records = useRecords(token, search);
  // On what the address says by now: of two choices that follow at once the first would be undone, drawn as it has not been yet.
  const change = (part: Partial<Search>): void => go({ ...readSearch(location.hash.slice(1)), open: "", ...part });
  return (
    <main class="deliveries" data-open={search.open !== ""}>
      <h1 id="deliveries-title">Webhook deliveries</h1>
      <section class="deliveries-list" aria-labelledby="deliveries-title">
        <SearchForm search={search} onChange={change} onReload={records.reload} />
        <RecordList
          records={records}
          onSignInAgain={onSignInAgain}
          current={search.open}
          onOpen={(open) => go({ ...search, open })}
        />
      </section>
      {search.open !== "" && (
        <RecordView
          key={search.open}
          token={token}
          direction={search.direction}
          id={search.open}
          onOpen={(open) => go({ ...search, open })}
          onSignInAgain={onSignInAgain}
          onBack={() => go({ ...search, open: "" })}
        />
      )}
    </main>
  );
};
