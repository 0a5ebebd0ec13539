import type { Item } from "../link/item.ts";
import type { Meaning } from "../link/lexicon.ts";
import { toMeasure } from "./ratios.ts";
import { addMeasure, hasRole, type Reading, senses } from "./reading.ts";

type Read = Pick<Reading, "items" | "subject">;

const who = /^(who|whom)$/i;

/** "Who won the most auctions", "which bidder rejects us the most": who is asked for is a buyer, and what they reject are our requests. */
export function withBidders(reading: Read): readonly Item[] {
  const { items, subject } = reading;
  if (subject.name !== "outbound_rtb_requests") return items;
  return items.map((item, index) => {
    if (who.test(item.said)) return toAsked(item);
    return hasRole(reading, index, "rejects") && isOfBidder(reading, index)
      ? toMeasure(item, subject, "no_bids")
      : item;
  });
}

function toAsked({ from, to, said }: Item): Item {
  const asked: readonly Meaning[] = [
    { kind: "role", role: "which" },
    { kind: "dimension", subject: "outbound_rtb_requests", name: "buyer" },
  ];
  return { from, to, said, kind: "meanings", meanings: asked };
}

/** Behind "we" it is we who reject. */
const isOfBidder = (reading: Read, index: number): boolean => {
  const { items } = reading;
  const before = items.slice(0, index);
  const isOurs = /^(we|i|us|our)$/i.test(before.at(-1)?.said ?? "");
  return (
    !isOurs &&
    before.some(
      (item, at) =>
        who.test(item.said) ||
        senses(reading, at).some(
          (each) => (each.kind === "dimension" || each.kind === "value") && /^(buyer|rtb)$/.test(each.name),
        ),
    )
  );
};

/** What came to no bid, by the outcome that a question names: "bids that timed out" are requests without a bid. */
const bidless: Readonly<Record<string, string>> = {
  timeout: "timeouts",
  http_error: "http_errors",
  parse_error: "parse_errors",
};

/** "How many bids timed out": a bid that timed out is none; what is meant are the requests for one. */
export function settleBidless(reading: Reading): void {
  const { draft, subject } = reading;
  if (subject.name !== "outbound_rtb_requests" || !draft.measures.includes("bids")) return;
  const outcome = draft.filters.find(({ field, op }) => field === "outcome" && op === "is");
  const failed = draft.filters.find(({ field, values }) => field === "failed" && values[0] === true);
  const [only, other] = outcome?.values ?? [];
  const known = other === undefined ? bidless[String(only)] : undefined;
  if (
    failed === undefined &&
    (outcome === undefined || outcome.values.some((each) => bidless[String(each)] === undefined))
  )
    return;
  const said = failed === undefined ? outcome : failed;
  draft.measures = draft.measures.filter((name) => name !== "bids");
  addMeasure(reading, failed === undefined ? (known ?? "outbound_pings") : "failed_pings");
  if (failed !== undefined || known !== undefined) draft.filters = draft.filters.filter((each) => each !== said);
  if (draft.order?.by === "bids") draft.order = { ...draft.order, by: draft.measures.at(-1) ?? null };
  draft.notes.push("I counted the requests for a bid: one that failed has none.");
}
