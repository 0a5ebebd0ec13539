import { useMemo, useRef } from "preact/hooks";
import { isPast } from "../period/spans.ts";
import { CallFilters } from "./call-filters.tsx";
import { CallLog } from "./call-log.tsx";
import { type CallSearch, readCallSearch, toHash } from "./call-search.ts";
import { CallView } from "./call-view.tsx";
import { LiveCalls } from "./live-calls.tsx";
import { useCallPage, useLiveCalls, useNewCalls } from "./use-call-page.ts";

type Props = {
  /** The search, as the address has it; the one before while a call is open. */
  readonly hash: string;
  /** The id of the open call; null for the log. */
  readonly call: string | null;
};

/** The call log with the calls in progress on top, or one call whole. */
export const CallsView = ({ hash, call }: Props) => {
  const listHash = useRef("calls");
  const opened = useRef<string | null>(null);
  if (call === null) listHash.current = hash;
  else opened.current = call;
  const search = useMemo(() => readCallSearch(listHash.current), [listHash.current]);
  const isList = call === null;
  const log = useCallPage(isList ? search : null);
  const hasNow = isList && search.page === "" && !isPast(search);
  const isNewest = hasNow && (search.status === "" || search.status === "live");
  const live = useLiveCalls(search, isNewest);
  const fresh = useNewCalls(search, log.page, hasNow);
  if (call !== null) return <CallView key={call} id={call} backHash={`#${listHash.current}`} />;
  // Reads the address itself: of two changes in a row, the second comes before the first is drawn, and would undo it.
  const change = (part: Partial<CallSearch>): void => {
    location.hash = toHash({ ...readCallSearch(location.hash.slice(1)), page: "", ...part });
  };
  return (
    <main class="calls">
      <h1 id="calls-title">Calls</h1>
      <CallFilters search={search} onChange={change} onReload={log.reload} />
      {live !== null && <LiveCalls live={live} />}
      <CallLog search={search} log={log} opened={opened.current} fresh={fresh} onFresh={log.reload} />
    </main>
  );
};
