import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ResourceInput } from "../../../../api/config/registry.ts";
import { execute } from "../../../../api/routing/rtb/ping.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { openBuyer, openPinger } from "./buyer.ts";
import { aFormula, aPingContext, aStep } from "./formula.ts";

const folder = new URL("fixtures/", import.meta.url);
const typeOf: Readonly<Record<string, string>> = {
  json: "application/json; charset=utf-8",
  xml: "text/xml",
  txt: "application/x-www-form-urlencoded",
};

interface Reading {
  readonly file: string;
  readonly paths?: NonNullable<ResourceInput<"rtb_formula">["mapped_response"]>;
  readonly criteria?: Record<string, unknown>;
  /** Dollars, where they are not the usual twelve and a half. */
  readonly bid?: number;
}

const offer = { bid: "$[0].payout", duration: "$[0].buffer", phone_number: "$[0].transfer_number" };
const soap = "$['soap:Envelope']['soap:Body'].PingResponse";
const inForm = { bid: "Price", duration: "Duration", phone_number: "Number" };
const inElements = {
  bid: "$.response.price",
  duration: "$.response.buyers.buyer.duration",
  phone_number: "$.response.buyers.buyer.phone",
};
const camelCase = { bid: "bidAmount", duration: "minimumDuration", phone_number: "phoneNumber" };
const status = (field: string, value: string) => ({ field, operator: "equals", value });

const bids: readonly Reading[] = [
  { file: "bid-flat.json", criteria: status("accepted", "true") },
  {
    file: "bid-nested.json",
    paths: {
      bid: "$.data.buyer.payout.amount",
      duration: "$.data.conversion.seconds",
      phone_number: "/data/destination/number",
    },
    criteria: status("$.status", "success"),
  },
  { file: "bid-with-dollar-sign.json", paths: camelCase },
  { file: "bid-list-of-offers.json", paths: offer },
  {
    file: "bid-with-thousands.json",
    paths: { bid: "price_usd", duration: "buffer_seconds", phone_number: "did" },
    bid: 1012.5,
  },
  { file: "bid-elements.xml", paths: inElements, criteria: status("$.response.status", "matched") },
  {
    file: "bid-soap.xml",
    paths: { bid: `${soap}.Bid`, duration: `${soap}.Terms['@minSeconds']`, phone_number: `${soap}.TransferTo` },
  },
  { file: "bid-form.txt", paths: inForm, criteria: status("Result", "Accepted") },
];

const noBids: readonly Reading[] = [
  { file: "no-bid-flag.json" },
  { file: "no-bid-null.json", paths: camelCase },
  { file: "no-bid-error.json" },
  { file: "no-bid-elements.xml", paths: inElements },
  { file: "no-bid-form.txt", paths: inForm },
  { file: "no-bid-empty.txt", paths: inForm },
];

/** What the same answers come to where the formula looks at more, or at the wrong place. */
const refusals: readonly (Reading & { readonly reason: string })[] = [
  { file: "no-bid-flag.json", criteria: status("accepted", "true"), reason: "not_accepted" },
  { file: "no-bid-elements.xml", criteria: status("response.status", "Matched"), reason: "not_accepted" },
  { file: "no-bid-form.txt", criteria: status("Result", "Accepted"), reason: "not_accepted" },
  { file: "bid-with-thousands.json", paths: { bid: "price", phone_number: "did" }, reason: "ping_parse_error" },
  { file: "bid-nested.json", paths: { bid: "$.data.buyer.payout" }, reason: "ping_parse_error" },
  { file: "bid-elements.xml", paths: { bid: "$.response.price" }, reason: "no_destination_number" },
];

/** The formula's execution against a buyer that answers with the file. */
async function asked({ file, paths, criteria }: Reading) {
  const body = readFileSync(new URL(file, folder));
  const { url } = await openBuyer(() => ({ body, type: typeOf[file.split(".").at(-1) ?? ""] ?? "" }));
  const step = aStep({ url, ...(criteria ? { target_selection_criteria: criteria } : {}) });
  const formula = aFormula({ steps: [step], ...(paths ? { mapped_response: paths } : {}) });
  return execute(formula, aPingContext(), { limits: {}, sender: openPinger(), clock: createManualClock(startOfTime) });
}

describe("a buyer's answer", () => {
  it.each(bids)("in $file is a bid", async (reading) => {
    expect(await asked(reading)).toMatchObject({
      kind: "bid",
      bid: reading.bid ?? 12.5,
      duration: 90,
      phone_number: "+18885550101",
    });
  });

  it.each(noBids)("in $file is no bid", async (reading) => {
    expect(await asked(reading)).toMatchObject({ kind: "refused", reason: "no_bid", bid: null });
  });

  it.each(refusals)("in $file is refused as $reason by who reads it so", async (reading) => {
    expect(await asked(reading)).toMatchObject({ kind: "refused", reason: reading.reason });
  });

  it("of every file is read", () => {
    const read = [...bids, ...noBids].map(({ file }) => file);
    expect(readdirSync(folder).sort()).toEqual(read.sort());
  });
});
