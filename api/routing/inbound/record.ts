import { isoTime } from "../../../ingest/clock.ts";
import type { NewMessage } from "../../../ingest/log/log.ts";
import type { InboundRtbRequest, OutboundRtbRequest } from "../../../ingest/rtb.ts";
import type { AskedPing } from "./asked-ping.ts";
import type { Answered } from "./ping.ts";
import { isUnasked, type Left, type PingAnswer } from "./ping-response.ts";

export interface Recorded {
  readonly outcome: InboundRtbRequest["outcome"];
  readonly reason: string | null;
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  readonly answered?: Answered;
  /** Set for a repeat: the answer that stands, and a label that no other repeat of it has. */
  readonly repeated?: { readonly answer: PingAnswer; readonly label: string };
}

/**
 * A repeat is a ping of its own, though it is answered with the request id of the first: its record has that id with
 * `.r1`, `.r2` and so on behind it, and who repeated it where that was another process, so that it neither hides the
 * first one's nor counts as another question.
 */
const recordIdOf = ({ requestId }: AskedPing, { repeated }: Recorded): string =>
  repeated === undefined ? requestId : `${repeated.answer.request_id}.r${repeated.label}`;

/** The record of a ping and of the buyers that were asked for it, for the log. */
export function toMessages(ping: AskedPing, recorded: Recorded): NewMessage[] {
  const key = ping.endpoint.config.organization.id;
  return [toRecord(ping, recorded), ...ping.trace.requests].map((record) => {
    return { topic: "rtb-requests", key, value: toText(record) };
  });
}

export function toRecord(ping: AskedPing, recorded: Recorded): InboundRtbRequest {
  const { endpoint, campaign, publisher, parameters, location, now, trace } = ping;
  const { config, inboundRtb } = endpoint;
  const { answered, repeated, outcome, reason, answeredAt } = recorded;
  const answer = answered?.answer ?? repeated?.answer;
  const payouts = answer?.eligible_routes.map(({ payout }) => payout) ?? [];
  return {
    kind: "inbound",
    v: 1,
    org_id: config.organization.id,
    created_at: isoTime(now),
    request_id: recordIdOf(ping, recorded),
    inbound_rtb_id: inboundRtb.inbound_rtb_id ?? "",
    campaign_id: inboundRtb.campaign_id,
    campaign_name: campaign?.name ?? null,
    publisher_id: inboundRtb.publisher_id,
    publisher_name: publisher?.name ?? null,
    caller_id: ping.caller ?? parameters.caller,
    zip_code: location.zip,
    state: location.state,
    params: { ...parameters.tags },
    outcome,
    reason,
    total_routes: answer?.total_routes ?? 0,
    allocated_count: answer?.allocated_count ?? 0,
    best_payout: payouts.length === 0 ? null : Math.max(...payouts),
    call_id: null,
    processing_ms: Math.max(0, answeredAt - now),
    eligible_routes: (answered?.given ?? []).map(({ route: { quote, payout, revenue } }) => ({
      route_id: quote.route_id,
      destination_type: quote.kind,
      destination_id: quote.id,
      buyer_id: quote.buyer_id,
      payout,
      revenue,
    })),
    ineligible_routes: toIneligible(answered?.left ?? []),
    allocations: (answered?.given ?? []).map(({ number, route, expiresAt }) => ({
      number,
      route_id: route.quote.route_id,
      expires_at: isoTime(expiresAt),
    })),
    life_log: [...trace.lines],
  };
}

type IneligibleRoute = InboundRtbRequest["ineligible_routes"][number];

/** Routes of a record that nobody asked, for one reason and for all; the life-log has the number of all of them by reason. */
const [mostOfReason, mostUnasked] = [10, 50];

/** All routes that were asked in vain, and of the others the first of each reason, so that a frequent one hides no rare one. */
function toIneligible(left: readonly Left[]): IneligibleRoute[] {
  const routes: IneligibleRoute[] = [];
  const ofReason = new Map<string, number>();
  let [unasked, cut] = [0, 0];
  for (const each of left) {
    if (isUnasked(each)) {
      const before = ofReason.get(each.reason) ?? 0;
      if (before === mostOfReason || unasked === mostUnasked) {
        cut += 1;
        continue;
      }
      ofReason.set(each.reason, before + 1);
      unasked += 1;
    }
    const { kind: destination_type, id: destination_id, route_id, reason, detail, bid } = each;
    routes.push({ route_id, destination_type, destination_id, reason, detail, bid });
  }
  return cut > 0 ? [...routes, cutMark(cut)] : routes;
}

const cutMark = (cut: number): IneligibleRoute => ({
  route_id: null,
  destination_type: null,
  destination_id: null,
  reason: "record_cut",
  detail: `${cut} more routes`,
  bid: null,
});

/** The log takes a mebibyte of key and value together; a longer record would be dropped whole. */
const mostBytes = 1_000_000;
/** Kept free for the marks that something was cut. */
const markBytes = 1000;

/** A record as the log takes it. */
export function toText(record: InboundRtbRequest | OutboundRtbRequest): string {
  const text = JSON.stringify(record);
  // No character takes more than three bytes.
  if (text.length <= mostBytes / 3 || Buffer.byteLength(text) <= mostBytes) return text;
  return JSON.stringify(record.kind === "inbound" ? cutRoutes(record) : cutSteps(record));
}

/**
 * The first of the routes that were left out, up to half of the room, and the first lines of the life-log with its last;
 * each list ends with how many more there were.
 */
function cutRoutes(record: InboundRtbRequest): InboundRtbRequest {
  const { ineligible_routes: routes, life_log } = record;
  const [lines, end] = [life_log.slice(0, -1), life_log.slice(-1)];
  const room = mostBytes - markBytes - bytesOf({ ...record, ineligible_routes: [], life_log: end });
  const routesKept = whatFits(routes, room / 2);
  const linesKept = whatFits(lines, room - bytesOf(routesKept));
  const [routesCut, linesCut] = [routes.length - routesKept.length, lines.length - linesKept.length];
  return {
    ...record,
    ineligible_routes: routesCut === 0 ? routes : [...routesKept, cutMark(routesCut)],
    life_log:
      linesCut === 0
        ? life_log
        : [...linesKept, ...end.map((line) => ({ ...line, detail: { ...line.detail, lines_cut: linesCut } }))],
  };
}

/** The first steps; `steps_count` says how many there were. */
function cutSteps(record: OutboundRtbRequest): OutboundRtbRequest {
  const room = mostBytes - bytesOf({ ...record, steps: [] });
  return { ...record, steps: whatFits(record.steps, room) };
}

function whatFits<T>(items: readonly T[], room: number): T[] {
  let bytes = 0;
  const over = items.findIndex((item) => {
    // A comma follows each.
    bytes += bytesOf(item) + 1;
    return bytes > room;
  });
  return items.slice(0, over < 0 ? items.length : over);
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
