import type { ResourceInput } from "../../../../api/config/registry.ts";
import type { Answering } from "./buyer.ts";

type Paths = NonNullable<ResourceInput<"rtb_formula">["mapped_response"]>;

export interface BuyerAnswer {
  readonly shape: string;
  readonly answer: Answering;
  readonly paths: Paths;
}

const usual: Paths = { bid: "$.bid", duration: "$.duration", phone_number: "$.phone" };

/** Answers of 12.5 dollars from 90 seconds on, sent to +18885550101, in the shapes that platforms write them in. */
export const bids: readonly BuyerAnswer[] = [
  {
    shape: "flat JSON",
    answer: { body: JSON.stringify({ bid: 12.5, duration: 90, phone: "+18885550101" }) },
    paths: usual,
  },
  {
    shape: "JSON in a list of offers",
    answer: {
      body: JSON.stringify({
        success: true,
        result: { offers: [{ "bid amount": "12.50", terms: { minDuration: "90" }, did: 18885550101 }] },
      }),
    },
    paths: {
      bid: "$.result.offers[0]['bid amount']",
      duration: "result.offers.0.terms.minDuration",
      phone_number: "/result/offers/0/did",
    },
  },
  {
    shape: "JSON with a dollar sign, called a page",
    answer: {
      type: "text/html; charset=UTF-8",
      body: '\ufeff{"bid": "$12.50", "duration": 90.0, "phone": "(888) 555-0101"}',
    },
    paths: usual,
  },
  {
    shape: "a thousand with its comma",
    answer: { body: JSON.stringify({ bid: " $ 0,012.5", duration: "90", phone: "8885550101" }) },
    paths: usual,
  },
  {
    shape: "XML",
    answer: {
      type: "application/xml",
      body: `<?xml version="1.0"?><Response status="ok"><Price currency="USD">12.50</Price>
        <Duration>090</Duration><Transfer><![CDATA[+18885550101]]></Transfer></Response>`,
    },
    paths: { bid: "$.Response.Price", duration: "$.Response.Duration", phone_number: "$.Response.Transfer" },
  },
  {
    shape: "XML with everything in attributes, called plain text",
    answer: { type: "text/plain", body: '<bid price="12.5" buffer="90" number="18885550101"/>' },
    paths: { bid: "$.bid['@price']", duration: "$.bid.@buffer", phone_number: "$.bid.@number" },
  },
  {
    shape: "a form",
    answer: { type: "application/x-www-form-urlencoded", body: "status=ok&bid=12.50&duration=90&phone=%2B18885550101" },
    paths: usual,
  },
  {
    shape: "a form, called plain text",
    answer: { type: "text/plain", body: "bid=12.5&duration=90&phone=18885550101\r\n" },
    paths: usual,
  },
];

/** How buyers say that they do not want a call. */
export const noBids: readonly BuyerAnswer[] = [
  { shape: "204", answer: { status: 204 }, paths: usual },
  { shape: "an empty body", answer: { body: " \n" }, paths: usual },
  { shape: "an empty object", answer: { body: "{}" }, paths: usual },
  { shape: "a bid of 0", answer: { body: JSON.stringify({ bid: 0, phone: "+18885550101" }) }, paths: usual },
  { shape: "an answer without a bid", answer: { body: JSON.stringify({ status: "unsold" }) }, paths: usual },
  { shape: "a bid of null", answer: { body: JSON.stringify({ bid: null }) }, paths: usual },
  { shape: "null", answer: { body: "null" }, paths: usual },
  { shape: "an empty element", answer: { type: "text/xml", body: "<r><bid/></r>" }, paths: { bid: "$.r.bid" } },
];

/** Answers of which nobody can say what they offer. */
export const unreadable: readonly BuyerAnswer[] = [
  { shape: "JSON that breaks off", answer: { body: '{"bid": 12.5, "phone": "a=b' }, paths: usual },
  { shape: "a page", answer: { type: "text/html", body: "<!doctype html><html><body>Hi</body></html>" }, paths: usual },
  { shape: "a page without a type", answer: { type: "text/html", body: "<html><br></html>" }, paths: usual },
  { shape: "words", answer: { type: "text/plain", body: "Internal error" }, paths: usual },
  { shape: "a bid in words", answer: { body: '{"bid": "twelve"}' }, paths: usual },
  { shape: "a bid below nothing", answer: { body: '{"bid": -5}' }, paths: usual },
  { shape: "a bid that is an object", answer: { body: '{"bid": {"usd": 5}}' }, paths: usual },
  { shape: "a decimal comma", answer: { body: '{"bid": "12,50"}' }, paths: usual },
  { shape: "a bid beyond all means", answer: { body: '{"bid": 1e308}' }, paths: usual },
  { shape: "half a minute", answer: { body: '{"bid": 5, "duration": 0.5, "phone": "+18885550101"}' }, paths: usual },
  {
    shape: "an entity of its own",
    answer: { type: "text/xml", body: '<!DOCTYPE r [<!ENTITY b "5">]><r><bid>&b;</bid></r>' },
    paths: { bid: "$.r.bid" },
  },
  {
    shape: "endless depth",
    answer: { type: "text/xml", body: "<a>".repeat(500) + "</a>".repeat(500) },
    paths: { bid: "$.a.bid" },
  },
];
