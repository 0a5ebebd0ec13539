import { expect, test } from "vitest";
import type { ConfigInput } from "../../../api/config/registry.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import { orgOne } from "../../make.ts";
import { exampleConfig, openPlatform } from "../../platform.ts";
import { openBuyer } from "../routing/rtb/buyer.ts";
import { openCollector } from "./collector.ts";

/** Two formulas of one buyer that bid in a group, and an endpoint for publishers' pings. */
function biddingConfig(org: OrgId, buyerUrl: string): ConfigInput[] {
  const about = { org_id: org, created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const id = (name: string) => `${org}-${name}`;
  const formula = (name: string): ConfigInput => ({
    type: "rtb_formula",
    doc: {
      ...about,
      id: id(name),
      rtb_name: name,
      buyer_id: id("buyer"),
      steps: [
        {
          url: `${buyerUrl}/${name}?key=hush&caller=[CALLER_ID]`,
          method: "POST",
          api_response: { bid: 12, phone: "+18885550111" },
        },
      ],
      mapped_response: { bid: "$.bid", phone_number: "$.phone" },
    },
  });
  const others = exampleConfig("http://127.0.0.1:9", [], org).filter(({ type }) => type !== "routing_plan");
  return [
    ...others,
    formula("one"),
    formula("two"),
    {
      type: "rtb_group",
      doc: {
        ...about,
        id: id("group"),
        name: "group",
        rtb_formulas: ["one", "two"].map((name) => ({ id: `link-${name}`, rtb_formula_id: id(name) })),
      },
    },
    {
      type: "routing_plan",
      doc: {
        ...about,
        id: id("plan"),
        name: "Plan",
        routes: [{ id: "r1", action: "route-to-rtb-group", rtb_group_id: id("group"), priority: 1 }],
      },
    },
    {
      type: "inbound_rtb",
      doc: {
        ...about,
        id: org === orgOne ? "1000000001" : "1000000002",
        inbound_rtb_id: `inbound_rtb_${org}`,
        campaign_id: id("campaign"),
        publisher_id: id("publisher"),
      },
    },
  ];
}

test("a ping is one trace: its auction, the bids, the requests to buyers, its records on their way", async () => {
  const collector = await openCollector();
  const buyer = await openBuyer(({ path }) =>
    path.startsWith("/one")
      ? { status: 200, body: JSON.stringify({ bid: 20, phone: "+18885550111" }) }
      : { status: 503, body: "" },
  );
  const { platform, url, one } = await openPlatform({
    documents: (org) => biddingConfig(org, buyer.url),
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" },
  });
  const ping = (caller: string) => fetch(`${url}/inbound_rtb/inbound_rtb_${one.id}?caller_id=${caller}`);
  const answers = [await ping("2125550123"), await ping("2125550124")];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await platform.stop();

  const { spans } = collector;
  const requests = spans.filter(({ name }) => name === "GET /inbound_rtb/{rtb_id}");
  expect(requests).toHaveLength(2);
  expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(2);
  for (const request of requests) {
    const childrenOf = (parent: string | undefined) =>
      spans.filter(({ parentSpanId, traceId }) => parentSpanId === parent && traceId === request.traceId);
    const [auction] = childrenOf(request.spanId).filter(({ name }) => name === "auction");
    expect(auction?.attributes).toMatchObject({ "trunkline.bids": 1, "trunkline.refused": 1 });
    const bids = childrenOf(auction?.spanId);
    expect(bids.map(({ name, attributes }) => [name, attributes["trunkline.rtb_id"]]).sort()).toEqual([
      ["bid", `${one.id}-one`],
      ["bid", `${one.id}-two`],
    ]);
    const asked = bids.flatMap(({ spanId }) => childrenOf(spanId));
    expect(asked.map(({ attributes }) => attributes["http.response.status_code"]).sort()).toEqual([200, 503]);
  }
  // Records of several pings may share a publish: then it is linked to each.
  const published = spans.filter(({ name }) => name === "publish rtb-requests");
  const causes = published.flatMap(({ traceId, links }) =>
    links.length > 0 ? links.map((link) => link.traceId) : [traceId],
  );
  expect(new Set(causes)).toEqual(new Set(requests.map(({ traceId }) => traceId)));
  const sent = collector.received.map(({ body }) => body.toString()).join("");
  for (const secret of ["2125550123", "hush", one.id.concat("_key"), `inbound_rtb_${one.id}`])
    expect(sent).not.toContain(secret);
  expect(buyer.asked.flatMap(({ headers }) => Object.keys(headers))).not.toContain("traceparent");
});
