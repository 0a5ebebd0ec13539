import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTcpa, type TcpaResult, tcpaRefusal } from "../../../api/routing/tcpa.ts";
import { startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { aCampaign } from "./make-route.ts";
import { type Answering, closedAddress, openBuyer, openHandler, openSocketBuyer } from "./rtb/buyer.ts";

const caller = "+12125550123";
const nobody = { isBlocked: () => false };
const clear = { status: "success", message: "Good", code: "none", results: 0 };
const answering = (value: unknown): Answering => ({ body: JSON.stringify(value) });
type Scrubbing = NonNullable<Parameters<typeof aCampaign>[0]>["tcpa_scrubbing_config"];

/** With any text for an address, as was kept before it was judged. */
const atAddress = (campaign: ReturnType<typeof aCampaign>, api_url: string) => ({
  ...campaign,
  tcpa_scrubbing_config: { allow_calls_on_failure: true, ...campaign.tcpa_scrubbing_config, api_url },
});

/** Scrubbing by a list at this address; the clock stands still. */
function openTcpa(api_url: string, { allowPrivateDestinations = true, cacheLimit = 100 } = {}) {
  const clock = createManualClock(startOfTime);
  const tcpa = createTcpa({ allowPrivateDestinations, clock, cacheLimit });
  onTestFinished(() => tcpa.close());
  const check = (from: string | null = caller, config: Scrubbing = {}, tcpa_scrubbing = "blacklist_alliance") =>
    tcpa.check({
      config: nobody,
      campaign: atAddress(aCampaign({ tcpa_scrubbing, tcpa_scrubbing_config: { api_key: "k 1", ...config } }), api_url),
      caller: from,
    });
  return { clock, check };
}

async function openList(answer: () => Answering, given: Parameters<typeof openTcpa>[1] = {}) {
  const list = await openBuyer(answer);
  return { ...list, ...openTcpa(`${list.url}/lookup?plan=a%2Fb`, given) };
}

describe("a list that answers with", () => {
  it.each<[string, Answering, TcpaResult]>([
    ["nothing found", answering(clear), "clear"],
    ["results", answering({ ...clear, results: 1 }), "tcpa_blocked"],
    ["results as text", answering({ results: "2" }), "tcpa_blocked"],
    ["a message", answering({ message: "Blacklisted" }), "tcpa_blocked"],
    ["a message in capitals", answering({ ...clear, message: "BLACKLISTED" }), "tcpa_blocked"],
    ["another message", answering({ message: "Good" }), "clear"],
    ["a code", answering({ ...clear, code: "prelitigation1,federal-dnc" }), "tcpa_blocked"],
    ["an empty code", answering({ ...clear, code: "" }), "clear"],
    ["no code", answering({ results: 0, code: null }), "clear"],
    ["an unlabelled answer", { ...answering({ ...clear, results: 1 }), type: "text/plain" }, "tcpa_blocked"],
    ["an error of its own", answering({ status: "error", message: "Invalid key", code: "401" }), "allowed_on_failure"],
    ["nothing that it should say", answering({ status: "success" }), "allowed_on_failure"],
    ["a list", answering([clear]), "allowed_on_failure"],
    ["null", answering(null), "allowed_on_failure"],
    ["no JSON", { body: "Blacklisted" }, "allowed_on_failure"],
    ["a page", { type: "text/html", body: "<html></html>" }, "allowed_on_failure"],
    ["no body", {}, "allowed_on_failure"],
    ["204", { status: 204 }, "allowed_on_failure"],
    ["401", { ...answering({ ...clear, results: 1 }), status: 401 }, "allowed_on_failure"],
    ["429", { ...answering(clear), status: 429 }, "allowed_on_failure"],
    ["500", { ...answering(clear), status: 500 }, "allowed_on_failure"],
    ["a redirect", { ...answering(clear), status: 302, headers: { Location: "/lookup" } }, "allowed_on_failure"],
    ["more than is read", { body: JSON.stringify({ ...clear, x: "x".repeat(70_000) }) }, "allowed_on_failure"],
  ])("%s: %j is %s", async (_shape, answer, result) => {
    const { asked, check } = await openList(() => answer);
    expect(await check()).toBe(result);
    const strict = result === "allowed_on_failure" ? "tcpa_unavailable" : result;
    expect(await check(caller, { allow_calls_on_failure: false })).toBe(strict);
    // What could be told is known from then on; what could not is asked again.
    expect(asked).toHaveLength(result === "allowed_on_failure" ? 2 : 1);
  });
});

describe("a list that does not answer", () => {
  it("is waited for two seconds", async () => {
    let heard = 0;
    const url = await openSocketBuyer((socket) => socket.once("data", () => (heard += 1)));
    const { clock, check } = openTcpa(url);
    let result: string | null = null;
    const asking = check(caller, { allow_calls_on_failure: false }).then((answer) => {
      result = answer;
    });
    await vi.waitFor(() => expect(heard).toBe(1));
    clock.advance(1999);
    expect(clock.sleepers()).toBe(1);
    expect(result).toBeNull();
    clock.advance(1);
    await asking;
    expect([result, clock.sleepers()]).toEqual(["tcpa_unavailable", 0]);
  });

  it("is waited for two seconds when it has begun to answer, too", async () => {
    let heard = 0;
    const url = await openHandler((_request, response) => {
      response.write('{"results": 0', () => (heard += 1));
    });
    const { clock, check } = openTcpa(url);
    const asking = check();
    await vi.waitFor(() => expect(heard).toBe(1));
    clock.advance(2000);
    expect(await asking).toBe("allowed_on_failure");
  });

  it("is told by its connection at once", async () => {
    const reset = await openSocketBuyer((socket) => socket.resetAndDestroy());
    expect(await openTcpa(reset).check()).toBe("allowed_on_failure");
    expect(await openTcpa(await closedAddress()).check()).toBe("allowed_on_failure");
  });

  it.each(["no address", "ftp://list.example/", "http://"])("is none at %j", async (url) => {
    expect(await openTcpa(url).check()).toBe("allowed_on_failure");
  });
});

describe("a question", () => {
  it("has the key, the version and ten digits, beside what the address had", async () => {
    const { asked, check } = await openList(() => answering(clear));
    await check();
    await check("+16465550123", { api_version: "v1" });
    expect(asked.map(({ method, path }) => [method, path])).toEqual([
      ["GET", "/lookup?plan=a%2Fb&key=k+1&ver=v3&resp=json&phone=2125550123"],
      ["GET", "/lookup?plan=a%2Fb&key=k+1&ver=v1&resp=json&phone=6465550123"],
    ]);
  });

  it("is asked once in six hours", async () => {
    const { asked, check, clock } = await openList(() => answering({ results: asked.length > 1 ? 1 : 0 }));
    expect(await check()).toBe("clear");
    clock.advance(6 * 3_600_000 - 1);
    expect([await check(), asked.length]).toEqual(["clear", 1]);
    clock.advance(1);
    expect([await check(), asked.length]).toEqual(["tcpa_blocked", 2]);
  });

  it("is asked anew for another number, key or version", async () => {
    const { asked, check } = await openList(() => answering(clear));
    for (const [from, config] of [
      [caller, {}],
      ["+12125550124", {}],
      [caller, { api_key: "k2" }],
      [caller, { api_version: "v2" }],
    ] as const) {
      for (let again = 0; again < 2; again += 1) await check(from, config);
    }
    expect(asked).toHaveLength(4);
  });

  it("is asked once for all who wait for it", async () => {
    const { asked, check } = await openList(() => answering({ results: 1 }));
    const results = await Promise.all(Array.from({ length: 50 }, () => check()));
    expect(new Set(results)).toEqual(new Set(["tcpa_blocked"]));
    expect(asked).toHaveLength(1);
  });

  it("is forgotten when there is no room for its answer", async () => {
    const { asked, check } = await openList(() => answering(clear), { cacheLimit: 2 });
    for (const from of ["+12125550101", "+12125550102", "+12125550103", "+12125550103", "+12125550101"]) {
      await check(from);
    }
    expect(asked).toHaveLength(4);
  });

  it("goes to no address inside a network", async () => {
    const { asked, check } = await openList(() => answering(clear), { allowPrivateDestinations: false });
    expect([await check(), asked.length]).toEqual(["allowed_on_failure", 0]);
  });
});

describe("nobody is asked", () => {
  it.each(["", "disabled", "Disabled", " "])("where scrubbing is %j", async (scrubbing) => {
    const { asked, check } = await openList(() => answering({ results: 1 }));
    expect([await check(caller, {}, scrubbing), asked.length]).toEqual(["off", 0]);
  });

  it.each([null, "anonymous", "", "2125550123", "+442071838750", "+1212555012"])("about %j", async (from) => {
    const { asked, check } = await openList(() => answering({ results: 1 }));
    expect([await check(from), asked.length]).toEqual(["not_asked", 0]);
  });

  it("without a key, or of a list that is not known, which is a failure", async () => {
    const { asked, check } = await openList(() => answering(clear));
    for (const [config, scrubbing] of [
      [{ api_key: "" }, "blacklist_alliance"],
      [{}, "another_list"],
    ] as const) {
      expect(await check(caller, config, scrubbing)).toBe("allowed_on_failure");
      expect(await check(caller, { ...config, allow_calls_on_failure: false }, scrubbing)).toBe("tcpa_unavailable");
    }
    expect(asked).toHaveLength(0);
  });

  it("where the organization's own list decides", async () => {
    const tcpa = createTcpa({ allowPrivateDestinations: false, clock: createManualClock(startOfTime) });
    onTestFinished(() => tcpa.close());
    const config = { isBlocked: (e164: string) => e164 === caller };
    const campaign = aCampaign({ tcpa_scrubbing: "default" });
    expect(await tcpa.check({ config, campaign, caller })).toBe("tcpa_blocked");
    expect(await tcpa.check({ config, campaign, caller: "+442071838750" })).toBe("clear");
    expect(await tcpa.check({ config, campaign, caller: null })).toBe("clear");
  });
});

it.each<[TcpaResult, string | undefined]>([
  ["tcpa_blocked", "tcpa_blocked"],
  ["tcpa_unavailable", "tcpa_unavailable"],
  ...(["off", "not_asked", "clear", "allowed_on_failure"] as const).map((each): [TcpaResult, undefined] => [
    each,
    undefined,
  ]),
])("%s refuses the call for %s", (result, reason) => {
  expect(tcpaRefusal(result)).toBe(reason);
});
