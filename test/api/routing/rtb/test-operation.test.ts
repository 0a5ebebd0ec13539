import { v4 as uuidv4 } from "uuid";
import { describe, expect, it } from "vitest";
import { done, type Member, usePlatform } from "../../use-platform.ts";
import { type Answering, type Asked, openBuyer } from "./buyer.ts";
import { aStep } from "./formula.ts";

const { join } = usePlatform({ settings: { ALLOW_PRIVATE_DESTINATIONS: "true" } });

const aBid = { body: JSON.stringify({ bid: 12.5, duration: 90, phone: "+18885550101" }) };

/** A formula of two steps, one of them for a winner, with its buyer. */
async function openFormula(answer: (asked: Asked) => Answering, given: object = {}) {
  const member = await join();
  const buyer = await openBuyer(answer);
  const { id: buyer_id } = await done(member.post("/api/v1/buyers", { name: "Sunny" }));
  const caller = [{ key: "caller", value: "{{caller_id}}|{{zip}}|{{state}}|{{lead_type}}|{{bid}}" }];
  const json = { body_type: "json", body_params: caller } as const;
  const steps = [
    aStep({ url: `${buyer.url}/bid`, headers: [{ key: "Authorization", value: "Bearer secret" }], ...json }),
    aStep({ url: `${buyer.url}/won`, run_on_rtb_group_win: true, ...json }),
  ];
  const mapped_response = { bid: "$.bid", duration: "$.duration", phone_number: "$.phone" };
  const formula = { rtb_name: "Bids", buyer_id, steps, mapped_response, ...given };
  const { id } = await done(member.post("/api/v1/rtbs", formula));
  const test = (body?: unknown, by: Member = member) => by.post(`/api/v1/rtbs/${id}/test`, body);
  return { ...buyer, member, test };
}

describe("trying a formula", () => {
  const given = { caller_id: "(212) 555-0123", zip_code: "10001", tags: { lead_type: "solar" } };

  it("asks for a bid and tells nobody that it has won", async () => {
    const { asked, test } = await openFormula(() => aBid);
    const answer = await done(test(given));
    expect(answer).toMatchObject({
      outcome: "bid",
      reason: null,
      bid: 12.5,
      duration: 90,
      phone_number: "+18885550101",
      tags: {},
      steps: [{ index: 0, method: "POST", status_code: 200, response_body: aBid.body, error: null }],
    });
    expect(asked.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      ["/bid", { caller: "+12125550123|10001|NY|solar|" }],
    ]);
    expect(asked[0]?.headers.authorization).toBe("Bearer secret");
    expect(answer.steps[0].request_headers).toEqual({ authorization: "***", "content-type": "application/json" });
  });

  it("tells the winner, too, when it is not dry", async () => {
    const { asked, test } = await openFormula(({ path }) =>
      path === "/bid" ? aBid : { body: JSON.stringify({ bid: 10, phone: "+18885550199" }) },
    );
    const answer = await done(test({ ...given, dry_run: false }));
    expect(answer).toMatchObject({ bid: 10, phone_number: "+18885550199", reason: null });
    expect(answer.steps.map(({ index }: { index: number }) => index)).toEqual([0, 1]);
    expect(JSON.parse(asked[1]?.body ?? "")).toEqual({ caller: "+12125550123|10001|NY|solar|12.5" });
  });

  it("says that the winner did not confirm", async () => {
    const { test } = await openFormula(({ path }) => (path === "/bid" ? aBid : { status: 500 }));
    const answer = await done(test({ dry_run: false }));
    expect(answer).toMatchObject({ outcome: "bid", reason: "win_step_failed", bid: 12.5 });
  });

  it("says why there is no bid", async () => {
    const { test } = await openFormula(() => ({ status: 204 }));
    expect(await done(test(given))).toMatchObject({
      outcome: "no_bid",
      reason: "no_bid",
      bid: null,
      duration: null,
      phone_number: null,
      steps: [{ status_code: 204, error: "The answer is empty." }],
    });
  });

  it("without a caller takes the formula's own for tests", async () => {
    const { asked, test } = await openFormula(() => aBid, { caller_id_test: "8085550123" });
    await done(test());
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({ caller: "+18085550123||HI||" });
  });

  it("counts no limits and asks of no pause", async () => {
    const limits = { outbound_ping_rate_limit: 1, outbound_ping_backoff_enabled: true, is_active: false };
    const { asked, test } = await openFormula(() => ({ status: 500 }), limits);
    for (let times = 0; times < 5; times++) expect((await test(given)).status).toBe(200);
    expect(asked).toHaveLength(5);
  });

  it.each([
    [{ caller_id: "5" }, "caller_id"],
    [{ dry_run: "no" }, "dry_run"],
    [{ tags: { a: 5 } }, "tags"],
  ])("with %j is refused at its place, and nothing is sent", async (body, field) => {
    const { asked, test } = await openFormula(() => aBid);
    const answer = await test(body);
    expect([answer.status, answer.body.detail[0].loc.slice(0, 2)]).toEqual([422, ["body", field]]);
    expect(asked).toEqual([]);
  });

  it("is nobody else's to do", async () => {
    const { asked, member, test } = await openFormula(() => aBid);
    expect((await test(given, await join())).status).toBe(404);
    expect((await member.post(`/api/v1/rtbs/${uuidv4()}/test`, given)).status).toBe(404);
    expect(asked).toEqual([]);
  });
});
