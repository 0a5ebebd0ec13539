import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { desktop, phone } from "./browser.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";

const visit = useDemoVisits();
type Visit = Awaited<ReturnType<typeof visit>>;

/** A campaign with a plan, its first number and the target that is tried first there. */
const aCampaign = async ({ send }: Visit) => {
  const { data } = await send("GET", "/api/v1/routing/state?kind=campaign");
  const plan = await send("GET", `/api/v1/campaigns/${data[0].id}/routing`);
  const target = plan.routes.find((route: { destination_type: string }) => route.destination_type === "target");
  return { id: plan.id, name: plan.name, number: plan.numbers[0].number, target: target.destination_name };
};

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

describe.each([
  ["a desktop", { viewport: desktop, colorScheme: "dark" }],
  ["a phone", { viewport: phone, hasTouch: true, isMobile: true }],
] as const)("routing on %s", (_size, options) => {
  const fits = async (page: Page) => {
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
  };

  it("shows what is open, pauses and resumes it, and why it is closed meanwhile", async () => {
    const { page } = await visit({ hash: "#overview", ...options });
    await page.getByRole("link", { name: "Routing", exact: true }).click();
    await page.getByRole("list", { name: "Campaigns" }).getByRole("listitem").first().waitFor();
    await fits(page);
    await page.getByRole("link", { name: "Targets", exact: true }).click();
    const rows = page.getByRole("list", { name: "Targets" }).locator(":scope > li");
    await rows.first().waitFor();
    const name = (await rows.first().locator("strong").textContent()) ?? "";
    await page.getByLabel("Name").fill(name);
    await region(page, "Targets")
      .getByText(/^1 target/)
      .waitFor();
    await page.getByRole("button", { name: `Pause ${name}…` }).press("Enter");
    await page.getByLabel("For how long").selectOption("4 hours");
    await fits(page);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await rows.getByText(/^It was paused, until .+\. Resume it\.$/).waitFor();
    await rows.getByText("Closed", { exact: true }).waitFor();
    await fits(page);
    await rows.getByText("Change this target by the API").click();
    await rows.getByText(/curl -s -X DELETE ".+\/api\/v1\/targets\/.+\/pause"/).waitFor();
    await fits(page);
    await page.getByRole("button", { name: `Resume ${name}` }).press("Enter");
    await rows.getByText("Open", { exact: true }).waitFor();
    await page.getByLabel("Name").fill("no such name");
    await page.getByText("No target has this in its name.").waitFor();
    await page.goBack();
    await page.getByRole("list", { name: "Campaigns" }).waitFor();
  });

  it("shows a campaign's plan, and tells who would take a call to its number", async () => {
    const visited = await visit({ hash: "#routing", ...options });
    const { page, send } = visited;
    const campaign = await aCampaign(visited);
    const { data } = await send(
      "GET",
      `/api/v1/routing/state?kind=target&search=${encodeURIComponent(campaign.target)}`,
    );
    const caps = [{ type: "calls", period: "day", limit: 5000 }];
    await send("PATCH", `/api/v1/targets/${data[0].id}`, { advanced_caps: caps, max_concurrency: 500 });
    await page.getByRole("link", { name: campaign.name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: campaign.name }).waitFor();
    const [route] = (await page.getByRole("list", { name: /^Routes of priority/ }).all()).slice(0, 1);
    await route?.getByText(campaign.target).waitFor();
    await route?.getByText(/^\d+ of 500 calls at once · \d+ of 5,000 calls today$/).waitFor();
    await route
      ?.getByText(/^weight \d+/)
      .first()
      .waitFor();
    await fits(page);

    await page.getByRole("link", { name: "Who would take a call to it?" }).first().click();
    const result = region(page, "Who would take it");
    await result.getByText(campaign.target).first().waitFor();
    await result.getByRole("list", { name: "Turn 1" }).getByText("Takes it").first().waitFor();
    await fits(page);

    const caller = options.viewport.width === phone.width ? "+12125550171" : "+12125550172";
    await send("POST", "/api/v1/blocked-callers", { number: caller });
    await page.getByLabel("Caller", { exact: true }).fill(caller);
    await page.keyboard.press("Enter");
    await result.getByText("The call would be refused: the caller is on your block list.").waitFor();
    await result.getByText("Take the caller off the block list if that is a mistake.").waitFor();
    await fits(page);
    await page.reload();
    await result.getByText("The call would be refused: the caller is on your block list.").waitFor();

    await page.getByLabel("Number dialed").fill("+18005559999");
    await page.getByLabel("Caller", { exact: true }).fill("+12125550123");
    await page.getByRole("button", { name: "Find out" }).click();
    await result.getByText("The call would be refused: the number belongs to no campaign.").waitFor();
    await page.getByLabel("Caller", { exact: true }).fill("nobody");
    await page.getByRole("button", { name: "Find out" }).click();
    await page.getByRole("alert").getByText("must be what a switch can send").waitFor();
    await fits(page);
  });
});

it("says that a paused destination would not get the call, and what to do; buyers are asked where that is wanted", async () => {
  const visited = await visit({ hash: "#routing/dry-run" });
  const { page, send } = visited;
  const campaign = await aCampaign(visited);
  const { data } = await send("GET", `/api/v1/routing/state?kind=target&search=${encodeURIComponent(campaign.target)}`);
  const pause = { resource_type: "target", ids: [data[0].id] };
  await send("POST", "/api/v1/bulk/pause", { ...pause, duration_minutes: 5 });
  await page.getByLabel("Campaign", { exact: true }).selectOption(campaign.name);
  await expect.poll(() => page.getByLabel("Number dialed").inputValue()).toBe(campaign.number);
  await page.getByLabel("Caller", { exact: true }).fill("+12125550124");
  await page.getByLabel("Ask buyers for bids now").check();
  await page.getByRole("button", { name: "Find out" }).click();
  const refused = page.getByRole("list", { name: "Refused" });
  await refused.getByRole("listitem").filter({ hasText: campaign.target }).getByText("It was paused.").waitFor();
  expect(await page.getByText("Asked to bid").count()).toBe(0);
  await page.getByText("Ask the same by the API").click();
  await page.getByText('"ask_buyers":true').waitFor();
  expect(await violations(page)).toEqual([]);
  await send("POST", "/api/v1/bulk/resume", pause);
});

it("is led to by a call, with its caller and its number", async () => {
  const { page } = await visit({ hash: "#calls?hours=720" });
  await page.locator("[data-call]").first().click();
  await page.getByRole("link", { name: "Who would take it now?" }).press("Enter");
  await region(page, "Who would take it").getByRole("status").waitFor();
  expect(await page.getByLabel("Number dialed").inputValue()).toMatch(/^\+1\d{10}$/);
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: /^Call from / }).waitFor();
});

it("stays as it was while it cannot be read, and says so", async () => {
  const { page } = await visit({ hash: "#routing" });
  await page.getByRole("list", { name: "Campaigns" }).waitFor();
  await page.route("**/v1/routing/state?**", (route) => route.abort("connectionrefused"));
  await page.getByRole("link", { name: "Buyers", exact: true }).click();
  await page.getByRole("alert").getByText("The server could not be reached.").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.unroute("**/v1/routing/state?**");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("list", { name: "Buyers" }).getByRole("listitem").first().waitFor();
  await page.goto(new URL("#routing/campaign/no-such", page.url()).href);
  await page.getByRole("heading", { name: "No such campaign" }).waitFor();
  expect(await violations(page)).toEqual([]);
});

describe.each([
  ["a desktop", { viewport: desktop, colorScheme: "dark" }],
  ["a phone", { viewport: phone, hasTouch: true, isMobile: true }],
] as const)("what campaigns are made of, on %s", (_size, options) => {
  it.each(["Plans", "RTB groups", "Numbers", "Number pools"])("is listed with what uses it: %s", async (label) => {
    const { page } = await visit({ hash: "#routing", ...options });
    await page.getByRole("link", { name: label, exact: true }).click();
    const list = region(page, label);
    const row = list.getByRole("listitem").first();
    await list.getByRole("status").getByText(/^\d/).waitFor();
    if ((await row.count()) > 0) {
      await row.getByText(/^Change this .+ by the API$/).click();
      await row
        .getByText(/curl -s .*".+\/api\/v1\//)
        .first()
        .waitFor();
    }
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
    const campaign = list.locator('a[href^="#routing/campaign/"]').first();
    if ((await campaign.count()) === 0) return;
    const name = (await campaign.textContent()) ?? "";
    await campaign.click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  });
});

it("tells which numbers of a pool wait for a publisher's call, and until when", async () => {
  const { page, send } = await visit({ hash: "#routing?kind=number_pool" });
  const pools = page.getByRole("list", { name: "Number pools" });
  await pools
    .getByText(/^No number waits for a call now\./)
    .first()
    .waitFor();
  const { data } = await send("GET", "/api/v1/inbound-rtb?limit=1");
  const ping = await send("GET", `/inbound_rtb/${data[0].inbound_rtb_id}?caller_id=2125550144&zip=33101`);
  const { number } = ping.eligible_routes[0];
  await pools
    .getByText(new RegExp(`^\\d numbers? waits? for a call: .*\\${number} until \\d\\d:\\d\\d:\\d\\d`))
    .waitFor();
  expect(await violations(page)).toEqual([]);
});
