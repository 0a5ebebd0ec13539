import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { desktop, phone } from "./browser.ts";
import { choosePeriod, periodNamed } from "./choose-period.ts";
import { useDemoVisits, violations } from "./demo-visits.ts";

const visit = useDemoVisits();
type Visit = Awaited<ReturnType<typeof visit>>;

const rowsOf = (page: Page) => page.locator("[data-call]");
const hashOf = (page: Page) => new URL(page.url()).hash;
const conditionsOf = (page: Page) => Object.fromEntries(new URLSearchParams(hashOf(page).replace(/^#calls\??/, "")));
const openLog = async (page: Page, hash: string): Promise<void> => {
  await page.goto(new URL(hash, page.url()).href);
  await rowsOf(page).first().waitFor();
};
const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** The number that a call came in on that was taken. */
const trackingNumber = async ({ send }: Visit): Promise<string> => {
  const { data } = await send("GET", "/api/v1/reports/calls?limit=1&status=completed");
  return data[0].number;
};

describe.each([
  ["a desktop", { viewport: desktop, colorScheme: "dark" }],
  ["a phone", { viewport: phone, hasTouch: true, isMobile: true }],
] as const)("the call log on %s", (_size, options) => {
  const fits = async (page: Page) =>
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);

  it("is filtered, paged, and left and come back to where it was", async () => {
    const { page } = await visit(options);
    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await choosePeriod(page, "When", "Last 30 days to now");
    await page.getByRole("link", { name: "Older" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await fits(page);
    const first = await rowsOf(page).first().getAttribute("data-call");
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByText(/^51–100 of /).waitFor();
    const idsOf = () => rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getAttribute("data-call")));
    const second = await idsOf();
    expect(second).not.toContain(first);
    await page.reload();
    await page.getByText(/^51–100 of /).waitFor();
    expect(await idsOf()).toEqual(second);

    await rowsOf(page).nth(30).click();
    await page.getByRole("heading", { level: 1, name: /^Call from / }).waitFor();
    expect(hashOf(page)).toBe(`#calls/${second[30]}`);
    await page.goBack();
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('data-call')")).toBe(second[30]);
    expect(await idsOf()).toEqual(second);
    await page.getByRole("link", { name: "Newer" }).click();
    await page.getByText(/^1–50 of /).waitFor();

    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByLabel("Why not connected").selectOption({ label: "The caller hung up before anybody answered" });
    await expect.poll(() => conditionsOf(page)).toEqual({ hours: "720", reason: "caller_hangup" });
    await page.getByLabel("Campaign", { exact: true }).selectOption({ index: 1 });
    await expect.poll(() => Object.keys(conditionsOf(page))).toEqual(["hours", "reason", "campaign"]);
    const states = () => page.locator("[data-call]").count();
    await expect.poll(states).toBeGreaterThan(0);
    await expect
      .poll(async () => new Set(await page.locator(".call-log .badge").allTextContents()))
      .toEqual(new Set(["Not connected"]));
    expect(await violations(page)).toEqual([]);
    await fits(page);
    await page.getByRole("button", { name: "Remove all" }).click();
    await expect.poll(() => conditionsOf(page)).toEqual({ hours: "720" });
  });

  it("is that of the days that are chosen in the calendar", async () => {
    const { page } = await visit({ ...options, hash: "#calls?hours=720" });
    await rowsOf(page).first().waitFor();
    const button = page.getByRole("button", { name: /^When/ });
    await button.press("Enter");
    const dialog = page.getByRole("dialog", { name: "When: choose a time" });
    await periodNamed(page, "Last month").waitFor();
    expect(await violations(page)).toEqual([]);
    await fits(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);

    await button.press("Enter");
    await dialog.getByRole("button", { name: "Month before" }).click();
    const days = dialog.locator('td[data-out="false"] button');
    await days.nth(19).click();
    await dialog.getByText("Now choose the other end.").waitFor();
    await days.nth(4).click();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Use these dates" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(conditionsOf(page)).toMatchObject({ hours: "between" });
    await button.getByText(/^[A-Z][a-z]{2} 5 – 20, \d{4}$/).waitFor();
    await page.reload();
    await button.getByText(/^[A-Z][a-z]{2} 5 – 20, \d{4}$/).waitFor();
    await expect
      .poll(async () => (await page.locator("[data-call] time").allTextContents()).map((time) => time.slice(0, 6)))
      .toEqual(expect.arrayContaining([expect.stringMatching(/^[A-Z][a-z]{2} (5|6|7|8|9|1\d|20)/)]));
  });

  it("finds nothing in words, and says how to find more", async () => {
    const { page } = await visit(options);
    await page.goto(new URL("#calls?hours=1&tag=no=such", page.url()).href);
    await page.getByText("No call matches. Choose a longer time, or remove filters.").waitFor();
    await page.getByRole("heading", { name: "0 live calls" }).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

describe("a row of the call log", () => {
  it("opens its call wherever it is clicked, but not while its text is marked", async () => {
    const { page } = await visit();
    await openLog(page, "#calls?hours=720");
    const row = page.getByRole("row").filter({ has: rowsOf(page).first() });
    const id = await rowsOf(page).first().getAttribute("data-call");
    const caller = row.getByRole("cell").nth(2);
    const { x, y, height } = (await caller.boundingBox()) ?? { x: 0, y: 0, height: 0 };
    await page.mouse.move(x + 12, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 70, y + height / 2, { steps: 5 });
    await page.mouse.up();
    expect(await page.evaluate("getSelection().toString()")).not.toBe("");
    expect(hashOf(page)).toBe("#calls?hours=720");
    await page.evaluate("getSelection().removeAllRanges()");
    await caller.click();
    await expect.poll(() => hashOf(page)).toBe(`#calls/${id}`);
  });
});

describe("the columns of the call log", () => {
  it("are chosen, and remembered", async () => {
    const { page } = await visit();
    await openLog(page, "#calls?hours=720");
    const heads = () => page.getByRole("columnheader").allTextContents();
    expect(await heads()).not.toContain("Call id");
    await page.getByRole("button", { name: "Columns" }).press("Enter");
    await page.getByLabel("Call id", { exact: true }).press("Space");
    await page.getByLabel("Publisher", { exact: true }).press("Space");
    await expect.poll(heads).toContain("Call id");
    await page.reload();
    await expect.poll(heads).toContain("Call id");
    expect(await heads()).not.toContain("Publisher");
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("button", { name: "The usual ones" }).click();
    await expect.poll(heads).toContain("Publisher");
    expect(await violations(page)).toEqual([]);
  });
});

describe("an export of the call log", () => {
  it("holds all calls of the search, in the columns that are shown", async () => {
    const { page } = await visit();
    await openLog(page, "#calls?hours=720&status=failed");
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByLabel("Call id", { exact: true }).press("Space");
    await page.getByLabel("Publisher", { exact: true }).press("Space");
    await page.getByRole("columnheader", { name: "Call id" }).waitFor();
    expect(await page.getByRole("columnheader").allTextContents()).toEqual(
      "When,State,Caller,Campaign,Buyer,Duration,Revenue,Payout,Call id".split(","),
    );
    const words = (await page.locator(".rows-bar [role=status]").textContent()) ?? "";
    const [, total = ""] = /([\d,]+) calls/.exec(words) ?? [];
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as CSV" }).click();
    const lines = readFileSync(await (await saving).path(), "utf8")
      .trim()
      .split("\r\n");
    expect(lines[0]).toBe(
      "started_at,status,failure_reason,caller_id,campaign_name,buyer_name,duration,revenue,payout,call_id",
    );
    expect(lines.slice(1).every((line) => line.includes(",failed,"))).toBe(true);
    expect(lines.length - 1).toBe(Number(total.replaceAll(",", "")));
  });
});

describe("a call that cannot be read", () => {
  it("says so, and is opened by trying again; one that is not there is told from it", async () => {
    const { page } = await visit();
    await openLog(page, "#calls?hours=720");
    await page.route("**/v1/reports/calls/**", (route) => route.abort("connectionrefused"));
    await rowsOf(page).first().click();
    await page.getByRole("alert").getByText("The server could not be reached.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute("**/v1/reports/calls/**");
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: /^Call from / }).waitFor();
    await page.goto(new URL("#calls/no-such-call", page.url()).href);
    await page.getByRole("heading", { name: "No such call" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => hashOf(page)).toBe("#calls?hours=720");
  });
});

describe.each([
  ["a desktop", { viewport: desktop }, "+12125550171"],
  ["a phone", { viewport: phone, hasTouch: true, isMobile: true, colorScheme: "dark" }, "+12125550172"],
] as const)("a call on %s", (_size, options, caller) => {
  it("is live while it goes on, and says why it earned nothing once it is over", async () => {
    const visited = await visit(options);
    const { page, send, box } = visited;
    await page.goto(new URL("#calls", page.url()).href);
    await page.getByRole("heading", { name: "0 live calls" }).waitFor();
    const { call_id, action } = await send("POST", "/telephony/simulator/calls", {
      from: caller,
      to: await trackingNumber(visited),
      tags: { utm_source: "flyer" },
    });
    expect(action).toBe("dial");
    await page.getByRole("heading", { name: "1 live call" }).waitFor();
    await send("POST", `/telephony/simulator/calls/${call_id}/events`, { type: "answer" });
    await page.getByRole("region", { name: "1 live call" }).getByRole("link", { name: caller }).click();
    const inShort = page.getByRole("list", { name: "In short" });
    await inShort.getByText(/^The caller is talking to /).waitFor();
    await inShort.getByText("What it earns is settled when it is over.").waitFor();
    expect(await violations(page)).toEqual([]);
    await send("POST", `/telephony/simulator/calls/${call_id}/events`, { type: "hangup", by: "caller" });
    await inShort.getByText(/^Connected to .*; the caller hung up\.$/).waitFor();
    await part(page, "Route").getByText("Connected", { exact: true }).waitFor();
    await part(page, "Timeline").getByText("call.completed", { exact: true }).waitFor();
    await part(page, "Tags").getByText("flyer").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
    expect(await violations(page)).toEqual([]);

    await page.getByRole("button", { name: "Correct the amounts…" }).press("Enter");
    await page.getByLabel("Revenue, in dollars").fill("25");
    await page.getByRole("button", { name: "Correct", exact: true }).click();
    await page.getByText("Give a reason: it is kept with the correction.").waitFor();
    await page.getByLabel("Reason").fill("agreed with the buyer");
    await page.keyboard.press("Enter");
    await page.getByText(/^Revenue \$\d+\.\d\d → \$25\.00\. It stands in the audit log/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await part(page, "Money").getByText("Corrected.").waitFor();
    await part(page, "Money")
      .getByText(/by demo-admin: agreed with the buyer$/)
      .waitFor();
    await inShort.getByText(/^Revenue \$25\.00/).waitFor();
    const { data } = await send("GET", `/api/v1/audit-logs?entity_id=${call_id}`);
    expect(data).toMatchObject([{ action: "adjust", entity_type: "call" }]);

    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await box.fill(`call ${call_id}`);
    await box.press("Enter");
    await page.getByText(/^Revenue \$25\.00/).waitFor();
    expect(hashOf(page)).toBe(`#calls/${call_id}`);
  });

  it("that was refused says why, and what to do", async () => {
    const visited = await visit(options);
    const { page, send } = visited;
    const blocked = `${caller.slice(0, -2)}${options.viewport.width === phone.width ? "81" : "82"}`;
    await send("POST", "/api/v1/blocked-callers", { number: blocked });
    const { call_id } = await send("POST", "/telephony/simulator/calls", {
      from: blocked,
      to: await trackingNumber(visited),
    });
    await page.goto(new URL(`#calls/${call_id}`, page.url()).href);
    await page.getByText("The caller was not connected: the caller is on your block list.").waitFor();
    await page.getByText("Take the caller off the block list if that is a mistake.").waitFor();
    await part(page, "Route")
      .getByText(/^The call was refused before any destination was considered/)
      .waitFor();
    await part(page, "Bids").getByText("No buyer was asked for a bid.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: blocked }).click();
    await expect.poll(() => conditionsOf(page)).toEqual({ hours: "720", caller: blocked });
    await expect.poll(() => rowsOf(page).count()).toBe(1);
  });

  it("shows what was sent of it, sends it again, and leads to the records and back", async () => {
    const { page } = await visit(options);
    await page.goto(new URL("#deliveries?hours=&kind=call.completed&status=2xx", page.url()).href);
    await page.getByRole("list", { name: "Requests" }).getByRole("button").first().click();
    const record = page.getByRole("region", { name: "The request" });
    await record.locator('a[href^="#calls/"]').click();
    const sent = page
      .getByRole("list", { name: "Webhooks sent" })
      .getByRole("listitem")
      .filter({ hasText: "call.completed" })
      .first();
    await sent.getByText("Delivered").waitFor();
    const attempts = sent.getByRole("list").getByRole("listitem");
    const before = await attempts.count();
    await sent.getByRole("button", { name: /^Send .* again$/ }).press("Enter");
    await sent.getByText(/^Sent again: answered (200|429|500) in /).waitFor();
    expect(await attempts.count()).toBeGreaterThan(before);
    await sent.getByText("sent again by hand").last().waitFor();
    expect(await violations(page)).toEqual([]);
    await attempts.last().getByRole("link").click();
    await record.getByText("manual").waitFor();
  });
});

describe("a correction whose answer is lost", () => {
  it("counts once when it is sent again, and is not called failed where the call cannot be read after it", async () => {
    const visited = await visit();
    const { page, send } = visited;
    const { call_id } = await send("POST", "/telephony/simulator/calls", {
      from: "+12125550191",
      to: await trackingNumber(visited),
    });
    await send("POST", `/telephony/simulator/calls/${call_id}/events`, { type: "answer" });
    await send("POST", `/telephony/simulator/calls/${call_id}/events`, { type: "hangup", by: "caller" });
    await page.goto(new URL(`#calls/${call_id}`, page.url()).href);
    await page.getByRole("button", { name: "Correct the amounts…" }).click();
    await page.getByLabel("Revenue, in dollars").fill("25");
    await page.getByLabel("Reason").fill("agreed with the buyer");
    await page.route(`**/v1/reports/calls/${call_id}/**`, (route) => route.abort("connectionrefused"));
    const transactions: unknown[] = [];
    await page.route("**/v1/reports/payout-adjustments", async (route) => {
      transactions.push(route.request().postDataJSON().transaction_id);
      const response = await route.fetch();
      if (transactions.length === 1) await route.abort("connectionreset");
      else await route.fulfill({ response });
    });
    await page.getByRole("button", { name: "Correct", exact: true }).click();
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("alert").getByText("The server could not be reached.").waitFor();
    await page.getByRole("button", { name: "Correct", exact: true }).click();
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Accepted; not seen here yet.").waitFor();
    expect(new Set(transactions).size).toBe(1);
    expect(transactions).toHaveLength(2);
    await page.unroute(`**/v1/reports/calls/${call_id}/**`);
    await page.reload();
    const corrections = part(page, "Money").getByText("agreed with the buyer");
    await corrections.first().waitFor();
    expect(await corrections.count()).toBe(1);
  });
});

describe("a call id in an answer", () => {
  it("leads to the call", async () => {
    const { page, ask } = await visit();
    const turn = await ask("last 5 calls");
    const link = turn.locator('td a[href^="#calls/"]').first();
    const id = (await link.textContent()) ?? "";
    expect(await violations(page)).toEqual([]);
    await link.click();
    await page.getByText(id, { exact: true }).waitFor();
  });
});
