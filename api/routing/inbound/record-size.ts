import type { InboundRtbRequest, OutboundRtbRequest } from "../../../ingest/rtb.ts";

/** The log takes a mebibyte of key and value together; a longer record would be dropped whole. */
const mostBytes = 1_000_000;
/** What is kept free for the marks that something was cut. */
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
  const about = { route_id: null, destination_type: null, destination_id: null, bid: null };
  const mark = { ...about, reason: "record_cut", detail: `${routesCut} more routes` };
  return {
    ...record,
    ineligible_routes: routesCut === 0 ? routes : [...routesKept, mark],
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
