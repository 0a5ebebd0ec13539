import { describe, expect, it } from "vitest";
import { foldParameters } from "../../../../api/routing/inbound/parameters.ts";
import { toText } from "../../../../api/routing/inbound/record.ts";
import {
  type InboundRtbRequest,
  inboundRtbRequestSchema,
  type OutboundRtbRequest,
  outboundRtbRequestSchema,
  withheldRouteSchema,
} from "../../../../ingest/rtb.ts";
import { orgOne, secondsIn } from "../../../make.ts";

const mebibyte = 1024 * 1024;
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const uuid = "0193b2c4-5d6e-7f80-9a1b-2c3d4e5f6071";
const about = { org_id: orgOne, created_at: secondsIn(0) };

const aRoute = (index: number) => ({
  route_id: uuid,
  destination_type: "rtb_formula",
  destination_id: uuid,
  reason: "concurrency_reached",
  detail: `target ${index}`,
  bid: 12.5,
});
const aLine = (index: number) => ({
  occurred_at: secondsIn(0),
  event: "route.skipped" as const,
  detail: aRoute(index),
});
const theLast = { occurred_at: secondsIn(1), event: "ping.answered" as const, detail: { outcome: "routes" } };

const aRecord = (given: Partial<InboundRtbRequest> = {}): InboundRtbRequest => ({
  ...inboundRtbRequestSchema.parse({
    kind: "inbound",
    ...about,
    request_id: uuid,
    inbound_rtb_id: "public",
    outcome: "routes",
    total_routes: 1,
    allocated_count: 1,
    processing_ms: 5,
  }),
  ...given,
});

function fitted(record: InboundRtbRequest): InboundRtbRequest {
  const text = toText(record);
  expect(Buffer.byteLength(text) + orgOne.length).toBeLessThan(mebibyte);
  return JSON.parse(text);
}

describe("the record of a ping", () => {
  it("is whole as long as the log takes it", () => {
    const record = aRecord({ ineligible_routes: many(2000, aRoute), life_log: [...many(2000, aLine), theLast] });
    expect(fitted(record)).toEqual(record);
  });

  it("tells of the first routes and lines, and of the last line, how many more there were", () => {
    const record = aRecord({ ineligible_routes: many(4000, aRoute), life_log: [...many(4000, aLine), theLast] });
    const { ineligible_routes: routes, life_log: lines, ...rest } = fitted(record);
    const { ineligible_routes: _routes, life_log: _lines, ...all } = record;
    expect(rest).toEqual(all);
    const [lastRoute, lastLine] = [routes.length - 2, lines.length - 2];
    expect(Math.min(lastRoute, lastLine)).toBeGreaterThan(1500);
    const mark = { reason: "record_cut", detail: `${3999 - lastRoute} more routes` };
    expect(routes.slice(-2)).toMatchObject([aRoute(lastRoute), mark]);
    const end = { ...theLast, detail: { outcome: "routes", lines_cut: 3999 - lastLine } };
    expect(lines.slice(-2)).toEqual([aLine(lastLine), end]);
    withheldRouteSchema.parse(routes.at(-1));
  });

  it("fits with the worst that a ping can say and a plan can bring", () => {
    const sent = many(100, (index) => [`${index}${"\u0001".repeat(60)}`, "\u0001".repeat(1024)] as const);
    const caller_id = "\u0001".repeat(1024);
    const { tags } = foldParameters(sent, [], []);
    expect(Object.keys(tags)).toHaveLength(100);
    const offered = { route_id: uuid, destination_type: "rtb_formula", destination_id: uuid, buyer_id: uuid };
    const record = aRecord({
      params: tags,
      caller_id,
      ineligible_routes: many(4000, aRoute),
      life_log: [...many(4000, aLine), theLast],
      eligible_routes: many(200, () => ({ ...offered, payout: 1234.56, revenue: 1234.56 })),
      allocations: many(200, () => ({ number: "+18005550100", route_id: uuid, expires_at: secondsIn(30) })),
    });
    expect(fitted(record).life_log.at(-1)?.event).toBe("ping.answered");
  });
});

describe("the record of a buyer that was asked", () => {
  const aStep = (index: number) => ({
    index,
    attempt: 1,
    url: "https://buyer.example/bid",
    method: "POST",
    request_headers: {},
    status_code: 200,
    request_body: "é".repeat(16_384),
    response_body: "\u0001".repeat(16_384),
    truncated: true,
    duration_ms: 5,
    error: null,
    unresolved: [],
    script_skipped: false,
  });
  const aRequest = (steps: number): OutboundRtbRequest =>
    outboundRtbRequestSchema.parse({
      kind: "outbound",
      ...about,
      id: uuid,
      rtb_id: uuid,
      outcome: "bid",
      total_ms: 5,
      steps_count: steps,
      steps: many(steps, aStep),
    });

  it("has its first steps, and how many there were", () => {
    expect(JSON.parse(toText(aRequest(5)))).toEqual(aRequest(5));
    const text = toText(aRequest(50));
    expect(Buffer.byteLength(text)).toBeLessThan(mebibyte);
    const { steps, steps_count } = outboundRtbRequestSchema.parse(JSON.parse(text));
    expect([steps, steps_count]).toEqual([many(7, aStep), 50]);
  });
});
